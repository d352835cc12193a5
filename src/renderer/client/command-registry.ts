import { useLayoutEffect, useRef } from 'react'
import { create } from 'zustand'
import type { CommandName } from '#contract/commands.ts'

export type Bindings = Partial<Record<CommandName, () => void>>

interface Slot {
  /** Whether the keys of its commands work too. Commands of other pages are bound without keys. */
  readonly keyed: boolean
  bindings: Bindings
}

const slots: Slot[] = []

interface Bound {
  readonly names: ReadonlySet<CommandName>
  /** The available commands of the current page. */
  readonly keyed: ReadonlySet<CommandName>
}

export const useBoundCommands = create<Bound>(() => ({ names: new Set(), keyed: new Set() }))

let updateScheduled = false

function scheduleUpdate(): void {
  if (updateScheduled) return
  updateScheduled = true
  queueMicrotask(() => {
    updateScheduled = false
    const names = namesIn(slots)
    const keyed = namesIn(slots.filter((slot) => slot.keyed))
    const current = useBoundCommands.getState()
    if (!areEqual(names, current.names) || !areEqual(keyed, current.keyed)) {
      useBoundCommands.setState({ names, keyed })
    }
  })
}

function namesIn(some: readonly Slot[]): ReadonlySet<CommandName> {
  return new Set(some.flatMap(({ bindings }) => namesOf(bindings)))
}

function areEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((name) => b.has(name))
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

/** The current handler of a command. Handlers of the page take precedence. Undefined if the command is not available. */
export function boundTo(
  name: CommandName,
  { keyed }: { readonly keyed: boolean },
): (() => void) | undefined {
  const inner = slots.findLast((slot) => slot.keyed && slot.bindings[name] !== undefined)
  const slot = inner ?? (keyed ? undefined : slots.findLast(({ bindings }) => bindings[name]))
  return slot?.bindings[name]
}

/** Runs a command. Returns false if it is not available. */
export function runCommand(name: CommandName): boolean {
  const run = boundTo(name, { keyed: false })
  run?.()
  return run !== undefined
}

/** Binds commands and their keys while the component is mounted. */
export function useKeys(bindings: Bindings): void {
  useSlot(bindings, true)
}

/** Binds commands without their keys, for commands that are available on every page but have a key only on their own page. */
export function useCommands(bindings: Bindings): void {
  useSlot(bindings, false)
}

function useSlot(bindings: Bindings, keyed: boolean): void {
  const slot = useRef<Slot | null>(null)
  // Before painting, so that the keys of a visible component work.
  useLayoutEffect(() => {
    const own: Slot = { keyed, bindings: {} }
    slot.current = own
    slots.push(own)
    return () => {
      slots.splice(slots.indexOf(own), 1)
      scheduleUpdate()
    }
  }, [keyed])
  useLayoutEffect(() => {
    if (!slot.current) return
    slot.current.bindings = bindings
    scheduleUpdate()
  })
}
