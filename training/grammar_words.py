"""The words that the grammar knows, Chinese beside English, in the forms that English asks for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pronoun:
    """A person spoken of: I, me, my. agreement: the form of "be" that it takes."""

    han: str
    subject: str
    object: str
    possessive: str
    agreement: str


@dataclass(frozen=True)
class Noun:
    """A thing that can be counted.

    counter: the measure word before it in Chinese. singly: one has a phone, but books, where
    Chinese says no number.
    """

    han: str
    one: str
    many: str
    counter: str
    article: str = "a"
    singly: bool = False


@dataclass(frozen=True)
class Mass:
    """What is not counted: tea, Chinese. counter: 杯 for what comes in cups."""

    han: str
    english: str
    counter: str = ""


@dataclass(frozen=True)
class Place:
    """Where one can be: ``at`` with its preposition, ``the`` where English asks for it."""

    han: str
    english: str
    at: str
    the: bool = False


@dataclass(frozen=True)
class Verb:
    """A verb in its English forms. particle: "to" of "listen to"."""

    han: str
    base: str
    third: str
    past: str
    ing: str
    particle: str = ""


@dataclass(frozen=True)
class Time:
    """When. tense: that of an English verb beside it; present where nothing else is said."""

    han: str
    english: str
    tense: str


PRONOUNS = (
    Pronoun("我", "I", "me", "my", "am"),
    Pronoun("你", "you", "you", "your", "are"),
    Pronoun("他", "he", "him", "his", "is"),
    Pronoun("她", "she", "her", "her", "is"),
    Pronoun("我们", "we", "us", "our", "are"),
    Pronoun("你们", "you", "you", "your", "are"),
    Pronoun("他们", "they", "them", "their", "are"),
)
FIRST_PERSON = ("我", "我们")
SECOND_PERSON = ("你", "你们")

NAMES = (("小明", "Xiaoming"), ("小红", "Xiaohong"), ("安娜", "Anna"), ("汤姆", "Tom"))
PARENTS = (("妈妈", "mom"), ("爸爸", "dad"))
PEOPLE = (
    Noun("老师", "teacher", "teachers", "个"),
    Noun("学生", "student", "students", "个"),
    Noun("朋友", "friend", "friends", "个"),
    Noun("医生", "doctor", "doctors", "个"),
    Noun("孩子", "child", "children", "个"),
    Noun("哥哥", "brother", "brothers", "个"),
)
TRADES = (PEOPLE[0], PEOPLE[1], PEOPLE[3])
NATIONS = (("中国人", "Chinese"), ("美国人", "American"))
ANIMALS = (
    Noun("猫", "cat", "cats", "只"),
    Noun("狗", "dog", "dogs", "只"),
    Noun("小猫", "kitten", "kittens", "只"),
    Noun("小狗", "puppy", "puppies", "只"),
)
THINGS = (Noun("书", "book", "books", "本"), Noun("手机", "phone", "phones", "个", singly=True))
COUNTED_FOOD = (
    Noun("苹果", "apple", "apples", "个", "an"),
    Noun("饺子", "dumpling", "dumplings", "个"),
)
FOOD = (Mass("米饭", "rice"), Mass("面条", "noodles"), Mass("鱼", "fish"))
DRINKS = (
    Mass("茶", "tea", "杯"),
    Mass("咖啡", "coffee", "杯"),
    Mass("水", "water", "杯"),
    Mass("牛奶", "milk", "杯"),
)
SERVED = (FOOD[0], FOOD[2], *DRINKS[:2])  # "noodles" would be "are delicious"
LANGUAGES = (Mass("中文", "Chinese"), Mass("英语", "English"), Mass("法语", "French"))
MUSIC = Mass("音乐", "music")
MOVIE = Noun("电影", "movie", "movies", "个")
TELEVISION = Mass("电视", "television")

PLACES = (
    Place("北京", "Beijing", "in"),
    Place("上海", "Shanghai", "in"),
    Place("中国", "China", "in"),
    Place("美国", "America", "in"),
    Place("学校", "school", "at"),
    Place("公园", "park", "in", the=True),
    Place("图书馆", "library", "in", the=True),
    Place("商店", "shop", "at", the=True),
    Place("医院", "hospital", "at", the=True),
)
CITIES_AND_LANDS = PLACES[:4]
HOME = Place("家", "home", "at")
VEHICLES = (("火车", "train"), ("飞机", "plane"))

LOVE = Verb("爱", "love", "loves", "loved", "loving")
LIKE = Verb("喜欢", "like", "likes", "liked", "liking")
KNOW = Verb("认识", "know", "knows", "knew", "knowing")
MISS = Verb("想", "miss", "misses", "missed", "missing")
HAVE = Verb("有", "have", "has", "had", "having")
WANT = Verb("要", "want", "wants", "wanted", "wanting")
HELP = Verb("帮助", "help", "helps", "helped", "helping")
WAIT = Verb("等", "wait", "waits", "waited", "waiting", "for")
EAT = Verb("吃", "eat", "eats", "ate", "eating")
DRINK = Verb("喝", "drink", "drinks", "drank", "drinking")
BUY = Verb("买", "buy", "buys", "bought", "buying")
STUDY = Verb("学习", "study", "studies", "studied", "studying")
SPEAK = Verb("说", "speak", "speaks", "spoke", "speaking")
READ = Verb("看", "read", "reads", "read", "reading")
WATCH = Verb("看", "watch", "watches", "watched", "watching")
LISTEN = Verb("听", "listen", "listens", "listened", "listening", "to")
GO = Verb("去", "go", "goes", "went", "going")
COME = Verb("来", "come", "comes", "came", "coming")
RETURN = Verb("回", "go", "goes", "went", "going")
LIVE = Verb("住", "live", "lives", "lived", "living")
KNOW_THAT = Verb("知道", "know", "knows", "knew", "knowing")
STATIVE = (LOVE, LIKE, KNOW, MISS, HAVE, WANT, LIVE, KNOW_THAT)

INTRANSITIVE = (
    Verb("睡觉", "sleep", "sleeps", "slept", "sleeping"),
    Verb("工作", "work", "works", "worked", "working"),
    Verb("唱歌", "sing", "sings", "sang", "singing"),
    Verb("跳舞", "dance", "dances", "danced", "dancing"),
    Verb("游泳", "swim", "swims", "swam", "swimming"),
    Verb("吃饭", "eat", "eats", "ate", "eating"),
    Verb("做饭", "cook", "cooks", "cooked", "cooking"),
    STUDY,
    KNOW_THAT,
)

AUXILIARIES = (("会", "can"), ("能", "can"), ("可以", "can"), ("要", "will"), ("应该", "should"))
WISHES = (
    Verb("想", "want", "wants", "wanted", "wanting"),
    Verb("喜欢", "like", "likes", "liked", "liking"),
    Verb("爱", "love", "loves", "loved", "loving"),
)

TIMES = (
    Time("今天", "today", "progressive"),
    Time("现在", "now", "progressive"),
    Time("明天", "tomorrow", "future"),
    Time("明年", "next year", "future"),
    Time("昨天", "yesterday", "past"),
    Time("每天", "every day", "present"),
    Time("早上", "in the morning", "present"),
    Time("晚上", "in the evening", "present"),
)
NOW = TIMES[1]
DAYS = TIMES[:1] + TIMES[2:3] + TIMES[4:5]

OF_PEOPLE = (
    ("高兴", "happy"),
    ("累", "tired"),
    ("忙", "busy"),
    ("漂亮", "beautiful"),
    ("饿", "hungry"),
    ("好", "fine"),
    ("高", "tall"),
)
OF_PLACES = (("大", "big"), ("小", "small"), ("漂亮", "beautiful"), ("远", "far"))
OF_WEATHER = (("热", "hot"), ("冷", "cold"))
OF_THINGS = (("贵", "expensive"), ("好", "good"))
OF_LANGUAGES = (("难", "difficult"), ("好", "good"))
OF_FOOD = (("好吃", "delicious"), ("贵", "expensive"))
OF_ANIMALS = (("大", "big"), ("小", "small"), ("漂亮", "beautiful"), ("饿", "hungry"))
FELT = ("饿", "累")  # 我饿了 is as much as 我很饿
DEGREES = (("很", ""), ("非常", "very"), ("真", "really"))
NUMBERS = (("一", ""), ("两", "two"), ("三", "three"))
POINTERS = (("这", "this"), ("那", "that"))
ASKED = (("什么", "what"), ("谁", "who"))
REASONS = (("为什么", "why"), ("什么时候", "when"))
WHERE = ("哪里", "哪儿")

FORMULAS = (
    ("你 好", "hello:0,1"),
    ("你们 好", "hello:0,1"),
    ("老师 好", "hello:1 teacher:0"),
    ("早上 好", "good:1 morning:0"),
    ("晚上 好", "good:1 evening:0"),
    ("谢谢", "thanks:0"),
    ("谢谢 你", "thank:0 you:1"),
    ("谢谢 你们", "thank:0 you:1"),
    ("谢谢 老师", "thank:0 you:0 teacher:1"),
    ("再见", "goodbye:0"),
    ("对不起", "sorry:0"),
    ("你 呢", "and:1 you:0"),
    ("你们 呢", "and:1 you:0"),
    ("他 呢", "and:1 him:0"),
    ("她 呢", "and:1 her:0"),
    ("谁", "who:0"),
    ("什么", "what:0"),
    ("哪里", "where:0"),
    ("为什么", "why:0"),
)
