// What the modules of a class name in their comments; nothing of it runs.

/** Where a microscope stands: the page, the query of its link, what is hidden and whether the screen is blank. */
type Place = { page: string; query: string; hide: boolean; blank: boolean };
type Form = "number" | "pick" | "shares";
/**
 * asks: what about, a name in the words; about: the step, and the labels of row and column. languages: what a ready
 * lesson asks in each language.
 */
type Ask = {
  form: Form;
  asks: string;
  text: string;
  options: string[];
  about: string[];
  languages?: Record<string, { text: string; options: string[] }>;
};
type Asked = { number: number; ask: Ask; round: number; open: boolean; right: string | null };

/** Of a teacher, who has no name: code, students and their answers by seat, one record a round. */
type ClassMe = {
  name: string;
  number: number;
  lost: boolean;
  own: boolean;
  answers: string[];
  code: string;
  students: ClassStudent[];
  rounds: Record<string, string>[];
};
type ClassStudent = { seat: string; number: number; name: string; lost: boolean; own: boolean; at: string };
/** What the server shows a member. */
type ClassView = {
  place: Place | null;
  paused: boolean;
  ended: boolean;
  asked: number;
  question: Asked | null;
  me: ClassMe;
};

/** Who this browser is in a class; link and modules, its QR code, are the teacher's. */
type Member = {
  role: "teacher" | "student";
  code: string;
  key: string;
  seat: string;
  address?: string;
  link?: string;
  modules?: string[];
};
type ClassSession = import("./session.js").ClassSession;
type ClassWords = Record<string, string> & {
  asks: Record<string, string>;
  mistakes: Record<string, string>;
  refused: Record<string, string>;
};

/** One step of a lesson: where it is, and what is asked there. */
type LessonStep = { title: string; place: Place; ask: Ask | null; right: string | null };
type Lesson = { title: string; steps: LessonStep[] };

interface Document {
  /** The class that this tab is in; the components of several bundles share it. */
  classSession?: ClassSession;
}
