import { create } from 'zustand'
import type { AssistantCall } from '#contract/assistants.ts'

interface AssistantsState {
  readonly calls: ReadonlyMap<number, AssistantCall>
  /** True once all calls are loaded. */
  readonly listed: boolean
  /** Why they could not be loaded. */
  readonly failure: string | null
}

/** What coding assistants did since Tabscope was started. */
export const useAssistants = create<AssistantsState>(() => ({
  calls: new Map(),
  listed: false,
  failure: null,
}))

/** Calls beyond this number are forgotten, as in the engine. */
const maxCalls = 500

export function addAssistantCall(call: AssistantCall): void {
  useAssistants.setState(({ calls }) => {
    const next = new Map(calls).set(call.id, call)
    const [oldest] = next.keys()
    if (next.size > maxCalls && oldest !== undefined) next.delete(oldest)
    return { calls: next }
  })
}

/** Stores the list of the engine. A call that ended meanwhile stays. */
export function setAssistantCalls(all: readonly AssistantCall[]): void {
  useAssistants.setState(({ calls }) => ({
    calls: new Map(
      all.toReversed().map((call) => {
        const known = calls.get(call.id)
        const isNewer =
          known !== undefined &&
          known.at === call.at &&
          !['running', 'waiting'].includes(known.outcome)
        return [call.id, isNewer ? known : call]
      }),
    ),
    listed: true,
    failure: null,
  }))
}

/** Loads everything again when it is next shown, because pushes may have been missed. */
export function reloadAssistants(): void {
  useAssistants.setState({ listed: false, failure: null })
}
