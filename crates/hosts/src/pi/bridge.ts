interface Context {
  cwd: string;
  hasUI: boolean;
  ui: {
    confirm(title: string, message: string): Promise<boolean>;
    notify(message: string, kind?: "info" | "warning" | "error"): void;
  };
  sessionManager: { getSessionId(): string; getSessionFile(): string | undefined };
}

interface ToolCall {
  toolName: string;
  toolCallId: string;
  input: Fields;
}

type Content = { type: "text"; text: string } | { type: "image" };

interface ToolResult extends ToolCall {
  content: Content[];
  isError: boolean;
}

type InputAction = { action: "continue" } | { action: "handled" } | { action: "transform"; text: string };

interface Pi {
  on(event: "tool_call", handler: (event: ToolCall, context: Context) => Promise<{ block: true; reason: string } | undefined>): unknown;
  on(event: "tool_result", handler: (event: ToolResult, context: Context) => Promise<Fields | undefined>): unknown;
  on(event: "input", handler: (event: { text: string; source?: string }, context: Context) => Promise<InputAction>): unknown;
  on(event: "before_agent_start", handler: () => Fields | undefined): unknown;
  on(event: "session_start" | "session_shutdown", handler: (event: { reason?: string }, context: Context) => Promise<void>): unknown;
  on(event: "agent_settled", handler: (event: unknown, context: Context) => Promise<void>): unknown;
  on(event: "session_before_compact", handler: (event: { reason?: string }, context: Context) => Promise<{ cancel: true } | undefined>): unknown;
}

/** Returns what every event says about the session. It must not fail: the context of a session that ended throws. */
function about(event: string, context: Context, fields: Fields): Fields {
  const session = (value: () => unknown): unknown => {
    try {
      return value();
    } catch {
      return undefined;
    }
  };
  return {
    host_event_name: event,
    session_id: session(() => context.sessionManager.getSessionId()),
    transcript_path: session(() => context.sessionManager.getSessionFile()),
    cwd: session(() => context.cwd) ?? process.cwd(),
    session_extra: { has_ui: session(() => context.hasUI) === true },
    ...fields,
  };
}

function text(content: Content[]): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Returns a result with another text. The structured copy of the result would have the old one. */
function replaced(output: string, isError: boolean): Fields {
  return { content: [{ type: "text", text: output }], structuredContent: { output }, details: {}, isError };
}

export default function checkrein(pi: Pi): void {
  const held = new Held();
  let forPrompt: string[] = [];

  // Pi blocks a call whose handler throws.
  pi.on("tool_call", async (event, context) => {
    const call = { tool_name: event.toolName, tool_input: event.input, tool_use_id: event.toolCallId };
    const answer = await ask("PreToolUse", about("tool_call", context, call));
    const reason = answer.reason ?? "denied by checkrein";
    if (answer.decision === "deny") return { block: true, reason };
    if (answer.decision === "ask" && !(context.hasUI && (await context.ui.confirm("checkrein", reason)))) {
      return { block: true, reason };
    }
    if (answer.input !== undefined) become(event.input, answer.input);
    held.keep(event.toolCallId, answer.context);
    return undefined;
  });

  // Pi ignores a handler that throws here, so that nothing may.
  pi.on("tool_result", async (event, context) => {
    try {
      const shown = text(event.content);
      const result = event.isError ? { error: shown } : { tool_response: event.content };
      const call = { tool_name: event.toolName, tool_input: event.input, tool_use_id: event.toolCallId };
      const name = event.isError ? "PostToolUseFailure" : "PostToolUse";
      const answer = await ask(name, about("tool_result", context, { ...call, ...result }));
      const more = held.take(event.toolCallId, answer.context);
      if (answer.decision === "deny") return replaced(answer.output ?? answer.reason ?? "[output withheld]", true);
      if (answer.output !== undefined) {
        return replaced(more === undefined ? answer.output : `${answer.output}\n${more}`, event.isError);
      }
      if (more === undefined) return undefined;
      return { content: [...event.content, { type: "text", text: more }] };
    } catch (error) {
      return replaced(unanswered(String(error)).output ?? "", true);
    }
  });

  pi.on("input", async (event, context) => {
    try {
      const answer = await ask("UserPromptSubmit", about("input", context, { prompt: event.text, source: event.source }));
      if (answer.decision !== undefined) {
        if (context.hasUI) context.ui.notify(answer.reason ?? "denied by checkrein", "error");
        return { action: "handled" };
      }
      if (answer.context !== undefined) forPrompt.push(answer.context);
      return answer.prompt === undefined ? { action: "continue" } : { action: "transform", text: answer.prompt };
    } catch {
      return { action: "handled" };
    }
  });

  pi.on("before_agent_start", () => {
    const content = forPrompt.join("\n");
    forPrompt = [];
    return content === "" ? undefined : { message: { customType: "checkrein", content, display: true } };
  });

  pi.on("session_start", async (event, context) => {
    await ask("SessionStart", about("session_start", context, { source: event.reason }));
  });
  pi.on("session_shutdown", async (event, context) => {
    await ask("SessionEnd", about("session_shutdown", context, { reason: event.reason }));
  });
  pi.on("agent_settled", async (_event, context) => {
    await ask("AfterAgent", about("agent_settled", context, {}));
  });
  pi.on("session_before_compact", async (event, context) => {
    const answer = await ask("PreCompact", about("session_before_compact", context, { trigger: event.reason }));
    return answer.decision === undefined ? undefined : { cancel: true };
  });
}
