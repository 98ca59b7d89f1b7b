interface Input {
  tool: string;
  sessionID: string;
  callID: string;
}

/** A result. That of an MCP tool has a list of contents instead of a text. */
interface Output {
  output?: string;
  metadata?: Fields;
  content?: unknown[];
}

type Part = { type: string; text?: string };

interface Hooks {
  "tool.execute.before"(input: Input, output: { args: Fields }): Promise<void>;
  "tool.execute.after"(input: Input & { args: Fields }, output: Output): Promise<void>;
  "chat.message"(input: { sessionID: string }, output: { parts: Part[] }): Promise<void>;
  event(input: { event: { type: string; properties?: Fields } }): Promise<void>;
}

function text(output: Output): string {
  if (typeof output.output === "string") return output.output;
  return (output.content ?? []).map((part) => (isFields(part) && typeof part.text === "string" ? part.text : "")).join("");
}

/** Replaces a result in every place that has it. */
function replace(output: Output, shown: string): void {
  if (output.content !== undefined) output.content = [{ type: "text", text: shown }];
  if (output.content === undefined || output.output !== undefined) output.output = shown;
  if (isFields(output.metadata) && output.metadata.output !== undefined) output.metadata.output = shown;
}

// opencode calls everything that a plugin exports. What a hook throws is a denial: before a call it prevents the call, after
// one it replaces the result, and it keeps a prompt from the model.
export default async function checkrein({ directory }: { directory?: string }): Promise<Hooks> {
  const held = new Held();
  const about = (event: string, session: unknown, fields: Fields): Fields => ({
    host_event_name: event,
    session_id: session,
    cwd: directory ?? process.cwd(),
    ...fields,
  });
  return {
    async "tool.execute.before"(input, output) {
      const call = { tool_name: input.tool, tool_input: output.args, tool_use_id: input.callID };
      const answer = await ask("PreToolUse", about("tool.execute.before", input.sessionID, call));
      if (answer.decision !== undefined) throw new Error(answer.reason ?? "denied by checkrein");
      if (answer.input !== undefined) become(output.args, answer.input);
      held.keep(input.callID, answer.context);
    },

    async "tool.execute.after"(input, output) {
      const call = { tool_name: input.tool, tool_input: input.args, tool_use_id: input.callID };
      const payload = { ...call, tool_response: text(output) };
      const answer = await ask("PostToolUse", about("tool.execute.after", input.sessionID, payload));
      const more = held.take(input.callID, answer.context);
      if (answer.decision !== undefined) {
        replace(output, answer.output ?? answer.reason ?? "[output withheld]");
        return;
      }
      if (answer.output !== undefined) replace(output, answer.output);
      if (more === undefined) return;
      if (typeof output.output === "string") output.output += `\n${more}`;
      else output.content = [...(output.content ?? []), { type: "text", text: more }];
    },

    async "chat.message"(input, output) {
      const texts = output.parts.filter((part) => part.type === "text" && typeof part.text === "string");
      const prompt = texts.map((part) => part.text ?? "").join("\n");
      const answer = await ask("UserPromptSubmit", about("chat.message", input.sessionID, { prompt }));
      if (answer.decision !== undefined) throw new Error(answer.reason ?? "denied by checkrein");
      const [first, ...others] = texts;
      if (first === undefined) return;
      if (answer.prompt !== undefined) {
        first.text = answer.prompt;
        for (const part of others) part.text = "";
      }
      if (answer.context !== undefined) first.text = `${first.text ?? ""}\n\n${answer.context}`;
    },

    async event({ event }) {
      const session = event.properties?.sessionID;
      if (event.type === "session.created") await ask("SessionStart", about(event.type, session, { source: "startup" }));
      if (event.type === "session.idle") await ask("AfterAgent", about(event.type, session, {}));
    },
  };
}
