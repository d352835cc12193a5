import type { ComponentType } from 'react'
import type { CommandName } from '#contract/commands.ts'
import type { Icon } from '#kit/icons.tsx'

/** One tab of a page. */
export interface Tab {
  readonly label: string
  /** Its address, and the start of the address of everything in it: `#/send/drafts`. */
  readonly address: string
  /** Loaded on demand, unless it is on the first screen. */
  readonly Component: ComponentType
  /** The command that opens it. */
  readonly go?: CommandName
  /** Commands that open it first, and then run there. None of them sends or deletes anything. */
  readonly runs?: readonly CommandName[]
}

/** An entry of the rail. `pages/NAME/page.ts` exports it as `page`. */
export interface Page {
  /** The first part of its addresses. */
  readonly name: string
  readonly label: string
  readonly icon: Icon
  /** Its position in the rail. */
  readonly order: number
  /** At the bottom of the rail. */
  readonly foot?: true
  /** A single tab is not shown as one. */
  readonly tabs: readonly [Tab, ...Tab[]]
}
