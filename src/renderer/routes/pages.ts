import {
  Activity,
  Bot,
  Braces,
  Cable,
  CircleHelp,
  ClipboardCheck,
  FlaskConical,
  Inbox,
  ListChecks,
  LockKeyhole,
  PenLine,
  RadioTower,
  ScrollText,
  Settings2,
  SquareFunction,
  SquareTerminal,
  Webhook,
  Wine,
  type Icon,
} from '../ui/icons.tsx'

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
    { name: 'deliveries', label: 'Deliveries', icon: Inbox },
    { name: 'compose', label: 'Compose', icon: PenLine },
    { name: 'jobs', label: 'Jobs', icon: ListChecks },
    { name: 'conformance', label: 'Conformance', icon: ClipboardCheck },
    { name: 'health', label: 'Health', icon: Activity },
    { name: 'rehearse', label: 'Rehearse', icon: FlaskConical },
    { name: 'generate', label: 'Generate', icon: Braces },
  ],
  [
    { name: 'authorization', label: 'Authorization', icon: LockKeyhole },
    { name: 'console', label: 'API console', icon: SquareTerminal },
  ],
  [
    { name: 'endpoints', label: 'Endpoints', icon: Webhook },
    { name: 'scripts', label: 'Scripts', icon: SquareFunction },
    { name: 'tunnel', label: 'Tunnel', icon: Cable },
    { name: 'relay', label: 'Relay', icon: RadioTower },
    { name: 'sandbox', label: 'Sandbox', icon: Wine },
    { name: 'logs', label: 'Event logs', icon: ScrollText },
    { name: 'assistants', label: 'Assistant activity', icon: Bot },
  ],
]

/** The entries at the bottom of the rail. */
export const railFoot: readonly PageEntry[] = [
  { name: 'help', label: 'Help', icon: CircleHelp },
  { name: 'settings', label: 'Settings', icon: Settings2 },
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
