import { use } from 'react'
import type { StoreApi } from 'zustand'
import { createStore, useStore } from 'zustand'
import type { Scope } from './scope.ts'
import { ScopeContext, shownScope } from './scope.ts'

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
