import { createContext, use } from 'react'
import { create } from 'zustand'
import { useCan } from '../../shell/store.ts'

/** Whose deliveries: null the live store, else the event log of that id. Ids of deliveries are those of their own scope. */
export type Scope = number | null

/** The scope of what is drawn below. Outside of it all is live. */
export const ScopeContext = createContext<Scope>(null)

/** The `log` of every call that is made from here. */
export function useLog(): Scope {
  return use(ScopeContext)
}

/**
 * Whether anything can be done to the deliveries that are shown: pinned, annotated, sent. Not those of a log, and none in an exported
 * page.
 */
export function useEditable(): boolean {
  const editing = useCan('editing')
  return useLog() === null && editing
}

const useShown = create<{ readonly scope: Scope }>(() => ({ scope: null }))

/** Whose list the address shows now; on any page but a log's: the live one. For what is no component. */
export function shownScope(): Scope {
  return useShown.getState().scope
}

export function showScope(scope: Scope): void {
  if (scope !== shownScope()) useShown.setState({ scope })
}

/** `listener` is told of each change. Returns its end. */
export function onShownScope(listener: (scope: Scope, before: Scope) => void): () => void {
  return useShown.subscribe((now, before) => listener(now.scope, before.scope))
}
