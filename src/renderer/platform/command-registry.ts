import { useLayoutEffect, useRef } from 'react'
import { create } from 'zustand'
import type { CommandName } from '#contract/commands.ts'

export type Bindings = Partial<Record<CommandName, () => void>>

/** What one component can do while it is mounted. */
interface Slot {
  /** Whether the keys of its commands work, too. What is bound without them is there on other pages than its own. */
  readonly keyed: boolean
  bindings: Bindings
}

/** In the order in which they were mounted. */
const slots: Slot[] = []

interface Bound {
  /** The commands that can be done just now. */
  readonly names: ReadonlySet<CommandName>
  /** Those of them that the page that is shown does itself. */
  readonly keyed: ReadonlySet<CommandName>
}

export const useBoundCommands = create<Bound>(() => ({ names: new Set(), keyed: new Set() }))

let telling = false

/** Once for all that changes in the same moment: a page that goes and the one that comes are one change. */
function changed(): void {
  if (telling) return
  telling = true
  queueMicrotask(() => {
    telling = false
    const names = namesIn(slots)
    const keyed = namesIn(slots.filter((slot) => slot.keyed))
    const before = useBoundCommands.getState()
    if (!same(names, before.names) || !same(keyed, before.keyed)) {
      useBoundCommands.setState({ names, keyed })
    }
  })
}

function namesIn(some: readonly Slot[]): ReadonlySet<CommandName> {
  return new Set(some.flatMap(({ bindings }) => namesOf(bindings)))
}

function same(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((name) => other.has(name))
}

function namesOf(bindings: Bindings): CommandName[] {
  const names: CommandName[] = []
  for (const name in bindings) {
    if (isBoundIn(bindings, name)) names.push(name)
  }
  return names
}

function isBoundIn(bindings: Bindings, name: string): name is CommandName {
  return Object.hasOwn(bindings, name) && Reflect.get(bindings, name) !== undefined
}

/** What does a command just now: the page's own before what is there on every page. Undefined: nothing can. */
export function boundTo(
  name: CommandName,
  { keyed }: { readonly keyed: boolean },
): (() => void) | undefined {
  const inner = slots.findLast((slot) => slot.keyed && slot.bindings[name] !== undefined)
  const slot = inner ?? (keyed ? undefined : slots.findLast(({ bindings }) => bindings[name]))
  return slot?.bindings[name]
}

/** Does a command; false where nothing here can. */
export function runCommand(name: CommandName): boolean {
  const run = boundTo(name, { keyed: false })
  run?.()
  return run !== undefined
}

/** Binds commands and their keys while the component is mounted. */
export function useKeys(bindings: Bindings): void {
  useSlot(bindings, true)
}

/** Binds commands without their keys: for what can be done from every page, and has a key on its own. */
export function useCommands(bindings: Bindings): void {
  useSlot(bindings, false)
}

function useSlot(bindings: Bindings, keyed: boolean): void {
  const slot = useRef<Slot | null>(null)
  // Before the screen is drawn: what one can see must take its keys.
  useLayoutEffect(() => {
    const own: Slot = { keyed, bindings: {} }
    slot.current = own
    slots.push(own)
    return () => {
      slots.splice(slots.indexOf(own), 1)
      changed()
    }
  }, [keyed])
  useLayoutEffect(() => {
    if (!slot.current) return
    slot.current.bindings = bindings
    changed()
  })
}
