import { createContext, use } from 'react'
import { create, type StoreApi, createStore, useStore } from 'zustand'
import { useCan } from './app.ts'

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

/** What a component sees and changes of state that each scope has its own of. */
export interface Scoped<T> {
  /** As a hook: of the scope around the component. */
  (): T
  <U>(selector: (state: T) => U): U
  /** Of the scope that the address shows. */
  getState(): T
  setState(change: Partial<T> | ((state: T) => Partial<T>)): void
  /** Of one scope, whatever is shown: for what is answered later. */
  of(scope: Scope): StoreApi<T>
}

const forgets = new Set<(scope: Scope) => void>()

/** State that the live list and each open log have of their own: where one comes back to, all is as it was left. */
export function scoped<T>(initial: () => T): Scoped<T> {
  const stores = new Map<Scope, StoreApi<T>>()
  function of(scope: Scope): StoreApi<T> {
    const known = stores.get(scope)
    if (known) return known
    const made = createStore<T>(initial)
    stores.set(scope, made)
    return made
  }
  forgets.add((scope) => stores.delete(scope))

  function useScoped(): T
  function useScoped<U>(selector: (state: T) => U): U
  function useScoped<U>(selector?: (state: T) => U): T | U {
    const pick: (state: T) => T | U = selector ?? whole
    return useStore(of(use(ScopeContext)), pick)
  }
  return Object.assign(useScoped, {
    getState: () => of(shownScope()).getState(),
    setState: (change: Partial<T> | ((state: T) => Partial<T>)) =>
      of(shownScope()).setState(change),
    of,
  })
}

function whole<T>(state: T): T {
  return state
}

/** Lets go of all that was kept of a log. */
export function forgetScope(scope: number): void {
  for (const forget of forgets) forget(scope)
}
