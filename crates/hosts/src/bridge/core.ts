import { spawn } from "node:child_process";

/** A JSON object. */
type Fields = Record<string, unknown>;

/** The program's answer about an event. */
interface Answer {
  decision?: "deny" | "ask";
  reason?: string;
  input?: Fields;
  output?: string;
  prompt?: string;
  context?: string;
  notice?: string;
}

/** The maximum length of an answer, in bytes. */
const LONGEST = 16 * 1024 * 1024;

/** The denial for an event that the program did not answer. */
function unanswered(cause: string): Answer {
  const reason = `checkrein gave no answer, so this was denied: ${cause}`;
  return { decision: "deny", reason, output: `[output withheld]\n${reason}` };
}

/** The answer where a project does not require the program, and it is missing: the user is told once. */
function absent(event: string): Answer {
  return event === "SessionStart" ? { notice: ABSENT, context: ABSENT } : {};
}

/** Asks the program about an event. Every failure is a denial; an event that is not registered has no answer. */
function ask(event: string, payload: Fields): Promise<Answer> {
  const seconds = EVENTS[event];
  if (seconds === undefined) return Promise.resolve({});
  return new Promise((resolve) => {
    try {
      const text = JSON.stringify(payload);
      // A group of its own, so that everything it started ends with it.
      const child = spawn(PROGRAM, ["hook", "--host", HOST, "--event", event], {
        stdio: ["pipe", "pipe", "ignore"],
        detached: true,
      });
      const giveUp = (cause: string): void => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        } catch {
          // It has ended already.
        }
        resolve(unanswered(cause));
      };
      const timer = setTimeout(() => giveUp(`it took longer than ${seconds} s`), seconds * 1000);
      const parts: Buffer[] = [];
      let length = 0;
      child.stdout.on("data", (part: Buffer) => {
        length += part.length;
        if (length > LONGEST) giveUp("its answer is too long");
        else parts.push(part);
      });
      // The exit code says if it did not read the event.
      child.stdin.on("error", () => {});
      child.on("error", (error: Error) => {
        clearTimeout(timer);
        const isAbsent = "code" in error && error.code === "ENOENT" && ABSENT !== undefined;
        resolve(isAbsent ? absent(event) : unanswered(error.message));
      });
      child.on("close", (code: number | null, signal: string | null) => {
        clearTimeout(timer);
        resolve(code === 0 ? read(Buffer.concat(parts).toString("utf8")) : unanswered(`it ended with ${code ?? signal}`));
      });
      child.stdin.end(text);
    } catch (error) {
      resolve(unanswered(String(error)));
    }
  });
}

/** Reads an answer. Anything but an answer of the expected form is a denial. */
function read(text: string): Answer {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return unanswered("its answer is not JSON");
  }
  if (!isFields(answer)) return unanswered("its answer is not an object");
  const texts = ["decision", "reason", "output", "prompt", "context", "notice"];
  const wrong = texts.find((key) => answer[key] !== undefined && typeof answer[key] !== "string");
  if (wrong !== undefined) return unanswered(`\`${wrong}\` is not a text`);
  if (answer.input !== undefined && !isFields(answer.input)) return unanswered("`input` is not an object");
  if (answer.decision !== undefined && answer.decision !== "deny" && answer.decision !== "ask") {
    return unanswered("its decision is unknown");
  }
  return answer as Answer;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Changes an object in place: agents keep their reference to it. */
function become(target: Fields, source: Fields): void {
  for (const key of Object.keys(target)) if (!(key in source)) delete target[key];
  Object.assign(target, source);
}

/** Context from before a call, which the model gets with the result. */
class Held {
  private readonly texts = new Map<string, string>();

  keep(call: string, text: string | undefined): void {
    if (text !== undefined) this.texts.set(call, text);
  }

  /** Returns the context of a call together with `more`. */
  take(call: string, more: string | undefined): string | undefined {
    const kept = this.texts.get(call);
    this.texts.delete(call);
    return kept !== undefined && more !== undefined ? `${kept}\n${more}` : (kept ?? more);
  }
}
