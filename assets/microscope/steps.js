import { store } from "./store.js";

// The steps of the rail that this trace has, in order.
export function stepsHere() {
  return store.trace.steps.map((step) => step.key).filter((key) => key in store.trace.stages);
}

// The step before and the step after; from what is given, the step that first reads it.
export function neighbours(stage) {
  const steps = stepsHere(), at = steps.indexOf(stage);
  if (at >= 0) return [steps[at - 1] ?? null, steps[at + 1] ?? null];
  return [null, steps.find((key) => reads(store.trace.stage(key).rule, stage)) ?? null];
}

function reads(rule, stage) {
  if (rule?.stage === stage) return true;
  return Object.values(rule ?? {}).some((part) => (Array.isArray(part) ? part.some((one) => one?.rule && reads(one, stage)) : part?.rule && reads(part, stage)));
}

// Whether the numbers of the chosen step and head have come.
export function isHere() {
  const { trace, stage, head } = store;
  return Boolean(trace?.drawing(stage)) && (trace.head === null || trace.head === head);
}
