import { Icons, type Icon } from '../ui/icons.tsx'

export const pageNames = [
  'deliveries',
  'compose',
  'jobs',
  'conformance',
  'health',
  'rehearse',
  'generate',
  'authorization',
  'console',
  'endpoints',
  'scripts',
  'tunnel',
  'relay',
  'sandbox',
  'logs',
  'assistants',
  'help',
  'settings',
] as const
export type PageName = (typeof pageNames)[number]

interface PageEntry {
  readonly name: PageName
  readonly label: string
  readonly icon: Icon
}

/** The navigation rail, in groups separated by lines. */
export const railGroups: readonly (readonly PageEntry[])[] = [
  [
    { name: 'deliveries', label: 'Deliveries', icon: Icons.Inbox },
    { name: 'compose', label: 'Compose', icon: Icons.PenLine },
    { name: 'jobs', label: 'Jobs', icon: Icons.ListChecks },
    { name: 'conformance', label: 'Conformance', icon: Icons.ClipboardCheck },
    { name: 'health', label: 'Health', icon: Icons.Activity },
    { name: 'rehearse', label: 'Rehearse', icon: Icons.FlaskConical },
    { name: 'generate', label: 'Generate', icon: Icons.Braces },
  ],
  [
    { name: 'authorization', label: 'Authorization', icon: Icons.LockKeyhole },
    { name: 'console', label: 'API console', icon: Icons.SquareTerminal },
  ],
  [
    { name: 'endpoints', label: 'Endpoints', icon: Icons.Webhook },
    { name: 'scripts', label: 'Scripts', icon: Icons.SquareFunction },
    { name: 'tunnel', label: 'Tunnel', icon: Icons.Cable },
    { name: 'relay', label: 'Relay', icon: Icons.RadioTower },
    { name: 'sandbox', label: 'Sandbox', icon: Icons.Wine },
    { name: 'logs', label: 'Event logs', icon: Icons.ScrollText },
    { name: 'assistants', label: 'Assistant activity', icon: Icons.Bot },
  ],
]

/** The entries at the bottom of the rail. */
export const railFoot: readonly PageEntry[] = [
  { name: 'help', label: 'Help', icon: Icons.CircleHelp },
  { name: 'settings', label: 'Settings', icon: Icons.Settings2 },
]

/** The page of a URL: `#/endpoints`, `#/authorization/tokens`. Anything else opens the deliveries. */
export function pageOf(hash: string): PageName {
  const [first] = hash.replace(/^#\//, '').split(/[/?]/)
  return pageNames.find((name) => name === first) ?? 'deliveries'
}

/** The job ID in a URL: `#/jobs/12`; null if there is none or it is another page. */
export function jobOf(hash: string): number | null {
  const [, page, id = ''] = hash.split('/')
  return page === 'jobs' && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null
}

/** The URL of a job, or of the list of jobs for null. */
export function jobAddress(id: number | null): string {
  return id === null ? '#/jobs' : `#/jobs/${id}`
}

export interface SettingsPlace {
  /** The setting to open; null if there is none. */
  readonly name: string | null
  /** The search query; empty for no search. */
  readonly find: string
}

/** `#/settings/port`, `#/settings?find=tunnel`. Anything else has no target. */
export function settingsPlaceOf(hash: string): SettingsPlace {
  const [path = '', query = ''] = hash.replace(/^#\//, '').split('?')
  const [page, name = ''] = path.split('/')
  if (page !== 'settings') return { name: null, find: '' }
  const find = (new URLSearchParams(query).get('find') ?? '').slice(0, 200)
  return { name: /^[a-z][a-z-]{0,60}$/.test(name) ? name : null, find }
}

export function settingAddress(name: string): string {
  return `#/settings/${name}`
}
