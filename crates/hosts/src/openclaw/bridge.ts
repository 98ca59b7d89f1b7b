interface Call {
  toolName: string;
  params: Fields;
  toolCallId?: string;
  result?: unknown;
  error?: string;
}

interface Context {
  sessionId?: string;
  sessionKey?: string;
  agentId?: string;
}

interface Prompt {
  prompt?: string;
}

interface Api {
  on(event: "before_tool_call" | "after_tool_call", handler: (event: Call, context: Context) => Promise<unknown>): void;
  on(event: "before_agent_run", handler: (event: Prompt, context: Context) => Promise<unknown>): void;
  on(event: "session_start" | "agent_end", handler: (event: unknown, context: Context) => Promise<unknown>): void;
}

/** The text of a result, or the result as JSON. */
function text(result: unknown): string {
  const parts = isFields(result) && Array.isArray(result.content) ? result.content : undefined;
  if (parts === undefined) return typeof result === "string" ? result : (JSON.stringify(result) ?? "");
  return parts.map((part) => (isFields(part) && typeof part.text === "string" ? part.text : "")).join("");
}

// OpenClaw blocks a call if a handler throws or takes longer than 15 seconds.
export default {
  id: "checkrein",
  name: "Checkrein",
  description: "Asks Checkrein before tools run",
  register(api: Api): void {
    const about = (event: string, context: Context | undefined, fields: Fields): Fields => ({
      host_event_name: event,
      session_id: context?.sessionId ?? context?.sessionKey,
      cwd: process.cwd(),
      ...fields,
    });
    const call = (event: Call): Fields => ({
      tool_name: event.toolName,
      tool_input: event.params,
      tool_use_id: event.toolCallId,
    });

    api.on("before_tool_call", async (event, context) => {
      const answer = await ask("PreToolUse", about("before_tool_call", context, call(event)));
      if (answer.decision !== undefined) return { block: true, blockReason: answer.reason ?? "denied by checkrein" };
      return answer.input !== undefined ? { params: answer.input } : undefined;
    });

    // It only watches: what is returned here is ignored.
    api.on("after_tool_call", async (event, context) => {
      const payload = { ...call(event), tool_response: text(event.result ?? event.error) };
      await ask("PostToolUse", about("after_tool_call", context, payload));
    });

    api.on("before_agent_run", async (event, context) => {
      const answer = await ask("UserPromptSubmit", about("before_agent_run", context, { prompt: event.prompt ?? "" }));
      const reason = answer.reason ?? "denied by checkrein";
      return answer.decision !== undefined ? { outcome: "block", reason, message: reason } : undefined;
    });

    api.on("session_start", async (_, context) => {
      await ask("SessionStart", about("session_start", context, { source: "startup" }));
    });
    api.on("agent_end", async (_, context) => {
      await ask("AfterAgent", about("agent_end", context, {}));
    });
  },
};
