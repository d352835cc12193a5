/** The pages of the user guide in `resources/docs/`, in the order listed. Each title is the first heading of its file. */
export const guidePages = [
  { name: 'getting-started', title: 'Getting started', group: 'Guide' },
  { name: 'signatures', title: 'Signatures', group: 'Guide' },
  { name: 'raw-body', title: 'Raw body by framework', group: 'Guide' },
  { name: 'filters', title: 'Filters', group: 'Guide' },
  { name: 'sending', title: 'Sending', group: 'Guide' },
  { name: 'holding', title: 'Holding', group: 'Guide' },
  { name: 'scripts', title: 'Scripts', group: 'Guide' },
  { name: 'scenarios', title: 'Scenarios', group: 'Guide' },
  { name: 'health', title: 'Health', group: 'Guide' },
  { name: 'rehearsals', title: 'Rehearsals', group: 'Guide' },
  { name: 'generate', title: 'Generate code and contracts', group: 'Guide' },
  { name: 'tunnels', title: 'Tunnels', group: 'Guide' },
  { name: 'behind-a-proxy', title: 'Behind a proxy', group: 'Guide' },
  { name: 'relay', title: 'Relay', group: 'Guide' },
  { name: 'authorization', title: 'Authorization', group: 'Guide' },
  { name: 'event-logs', title: 'Event logs', group: 'Guide' },
  { name: 'sandbox', title: 'Sandbox', group: 'Guide' },
  { name: 'using-the-command-line', title: 'Using the command line', group: 'Guide' },
  { name: 'assistants', title: 'Coding assistants', group: 'Guide' },
  { name: 'desktop-app', title: 'Desktop app', group: 'Guide' },
  { name: 'settings', title: 'Settings and assumptions', group: 'Guide' },
  { name: 'security', title: 'Security', group: 'Guide' },
  { name: 'benchmarks', title: 'Benchmarks', group: 'Guide' },
  { name: 'keyboard-shortcuts', title: 'Keyboard shortcuts', group: 'Reference' },
  { name: 'command-line', title: 'Command line', group: 'Reference' },
  { name: 'filter-fields', title: 'Filter fields', group: 'Reference' },
  { name: 'findings', title: 'Findings', group: 'Reference' },
  {
    name: 'invalid-signature-causes',
    title: 'Causes of an invalid signature',
    group: 'Reference',
  },
  { name: 'rehearsal-cases', title: 'Rehearsal cases', group: 'Reference' },
  { name: 'error-codes', title: 'Error codes', group: 'Reference' },
] as const

export type GuidePageName = (typeof guidePages)[number]['name']

export const guideGroups = ['Guide', 'Reference'] as const

/** The target of a help URL. */
export interface GuidePlace {
  /** Null: the list of pages. */
  readonly page: GuidePageName | null
  /** The anchor of a heading; null: the top of the page. */
  readonly section: string | null
}

/** `#/help/signatures`, `#/help/signatures/what-is-signed`. Anything else is the list of pages. */
export function guidePlaceOf(hash: string): GuidePlace {
  const [first, name, section = ''] = hash.replace(/^#\//, '').split('/')
  const page = first === 'help' ? guidePages.find((entry) => entry.name === name) : undefined
  if (page === undefined) return { page: null, section: null }
  return { page: page.name, section: section === '' ? null : section }
}

export function guideAddress(page: GuidePageName | null, section: string | null = null): string {
  return ['#/help', page, section].filter((part) => part !== null).join('/')
}
