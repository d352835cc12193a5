import { Icons, type Icon } from '#kit/icons.tsx'
import type { CommandGroup } from '#contract/command.ts'
import { type CommandName, entries as allCommands } from '#contract/commands.ts'
import type { Capabilities } from '#contract/host.ts'
import type { LogsView } from '#contract/logs.ts'
import { shortText } from '#kit/text/visible.ts'
import { guideAddress, guidePages } from '#client/addresses/guide.ts'
import { logAddress } from '#client/addresses/pages.ts'
import { goToField, goToSetting } from '#client/state/setting-target.ts'
import { allSettings } from '#pages/settings/registry.ts'
import { runCommand } from '#client/command-registry.ts'

/** The texts of an entry that can match. */
export interface Matchable {
  readonly label: string
  readonly group: string
  /** More words, which are not visible. */
  readonly words: string
}

export interface Entry extends Matchable {
  /** Stable across sessions, so that recent entries can be restored. */
  readonly id: string
  readonly section: 'Commands' | 'Settings' | 'Event logs' | 'Guide'
  readonly icon: Icon
  readonly keys: readonly string[]
  readonly run: () => void
}

const icons = {
  Tabscope: Icons.Telescope,
  'Go to': Icons.Compass,
  Deliveries: Icons.Inbox,
  'One delivery': Icons.Mail,
  Send: Icons.ListChecks,
  Drafts: Icons.PenLine,
  Rehearsals: Icons.FlaskConical,
  Authorization: Icons.LockKeyhole,
  'API console': Icons.SquareTerminal,
  Listener: Icons.Ear,
  Tunnel: Icons.Cable,
  Sandbox: Icons.Wine,
  'Event logs': Icons.ScrollText,
  Help: Icons.CircleHelp,
  Settings: Icons.Settings2,
} as const satisfies Record<CommandGroup, Icon>

/** The commands that are currently available. Unavailable ones are omitted, because their names do not explain why. */
export function commandEntries(bound: ReadonlySet<CommandName>): Entry[] {
  return allCommands()
    .filter(([name]) => bound.has(name) && name !== 'palette')
    .map(([name, { label, group, keys, words = '' }]) => ({
      id: `command:${name}`,
      section: 'Commands',
      label,
      group,
      words,
      keys,
      icon: icons[group],
      run: () => runCommand(name),
    }))
}

/** All settings that this host supports, on any page. */
export function settingEntries(capabilities: Capabilities): Entry[] {
  return allSettings
    .filter(({ needs }) => needs === undefined || capabilities[needs])
    .map(({ name, label, hint, words, card, address, here, field }) => ({
      id: `setting:${name}`,
      section: 'Settings',
      label,
      group: card,
      words: `${hint} ${words} ${here ? 'settings' : ''}`,
      keys: [],
      icon: Icons.Settings2,
      run: () => (here ? goToSetting(name) : goToField(address, field)),
    }))
}

/** The sections of the guide about a query. The guide is loaded at the first one. */
export async function guideSections(query: string): Promise<Entry[]> {
  if (query.trim() === '') return []
  const { searchGuide } = await import('#pages/help/guide.ts')
  return searchGuide(query)
    .filter(({ section }) => section.slug !== null)
    .slice(0, maxGuideSections)
    .map(({ page, section }) => ({
      id: `guide:${page.name}/${section.slug}`,
      section: 'Guide',
      label: section.title,
      group: page.title,
      words: '',
      keys: [],
      icon: Icons.CircleHelp,
      run: () => location.assign(guideAddress(page.name, section.slug)),
    }))
}
const maxGuideSections = 6

export const guideEntries: readonly Entry[] = guidePages.map(({ name, title, group }) => ({
  id: `guide:${name}`,
  section: 'Guide',
  label: title,
  group,
  words: `help documentation manual ${name.replaceAll('-', ' ')}`,
  keys: [],
  icon: Icons.CircleHelp,
  run: () => location.assign(guideAddress(name)),
}))

export function logEntries(logs: LogsView['logs']): Entry[] {
  return logs.map(({ id, name }) => ({
    id: `log:${id}`,
    section: 'Event logs',
    label: shortText(name, 200),
    group: 'Event logs',
    words: 'open imported',
    keys: [],
    icon: Icons.ScrollText,
    run: () => location.assign(logAddress(id)),
  }))
}
