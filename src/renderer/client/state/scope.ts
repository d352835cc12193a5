import { createContext, use } from 'react'
import { create, type StoreApi, createStore, useStore } from 'zustand'

/** The source of deliveries: null for the live store, otherwise the ID of an event log. Delivery IDs are only unique within a scope. */
export type Scope = number | null

/** The scope of the components below. The default is the live store. */
export const ScopeContext = createContext<Scope>(null)

/** The `log` parameter for calls from this component. */
export function useLog(): Scope {
  return use(ScopeContext)
}

/** Whether the user can change the shown deliveries: pin, annotate or send them. Not in an event log. */
export function useEditable(): boolean {
  return useLog() === null
}

const useShown = create<{ readonly scope: Scope }>(() => ({ scope: null }))

/** The scope of the current page URL; the live store on any page except a log. For use outside components. */
export function shownScope(): Scope {
  return useShown.getState().scope
}

export function showScope(scope: Scope): void {
  if (scope !== shownScope()) useShown.setState({ scope })
}

/** Calls `listener` on each change. Returns a function that stops it. */
export function onShownScope(listener: (scope: Scope, before: Scope) => void): () => void {
  return useShown.subscribe((now, before) => listener(now.scope, before.scope))
}

/** A store with separate state for each scope. */
export interface Scoped<T> {
  /** As a hook: the state of the surrounding scope. */
  (): T
  <U>(selector: (state: T) => U): U
  /** The state of the scope in the page URL. */
  getState(): T
  setState(change: Partial<T> | ((state: T) => Partial<T>)): void
  /** The store of one scope, whether it is shown or not. For responses that arrive later. */
  of(scope: Scope): StoreApi<T>
}

const removers = new Set<(scope: Scope) => void>()

/** Creates a store with separate state for the live list and each open log, so that each keeps its view. */
export function scoped<T>(initial: () => T): Scoped<T> {
  const stores = new Map<Scope, StoreApi<T>>()
  function of(scope: Scope): StoreApi<T> {
    const known = stores.get(scope)
    if (known) return known
    const made = createStore<T>(initial)
    stores.set(scope, made)
    return made
  }
  removers.add((scope) => stores.delete(scope))

  function useScoped(): T
  function useScoped<U>(selector: (state: T) => U): U
  function useScoped<U>(selector?: (state: T) => U): T | U {
    const pick: (state: T) => T | U = selector ?? identity
    return useStore(of(use(ScopeContext)), pick)
  }
  return Object.assign(useScoped, {
    getState: () => of(shownScope()).getState(),
    setState: (change: Partial<T> | ((state: T) => Partial<T>)) =>
      of(shownScope()).setState(change),
    of,
  })
}

function identity<T>(state: T): T {
  return state
}

/** Removes all state of a log. */
export function forgetScope(scope: number): void {
  for (const remove of removers) remove(scope)
}
