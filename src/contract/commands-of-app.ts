import type { Command } from './command.ts'

/** Available on every page. */
export const appCommands = {
  palette: {
    keys: ['Mod+k'],
    label: 'Find a command, delivery or setting',
    group: 'Tabscope',
    words: 'palette search run',
  },
  help: { keys: ['?'], label: 'Show keyboard shortcuts', group: 'Tabscope', words: 'keys' },
  'user-guide': {
    keys: ['F1'],
    label: 'Open the user guide',
    group: 'Tabscope',
    words: 'help documentation manual docs',
  },
  guide: {
    keys: [],
    label: 'Open the guided start',
    group: 'Tabscope',
    words: 'help tutorial tour first steps onboarding welcome',
  },
  'theme-light': {
    keys: [],
    label: 'Use the light theme',
    group: 'Tabscope',
    words: 'turn appearance mode day',
  },
  'theme-dark': {
    keys: [],
    label: 'Use the dark theme',
    group: 'Tabscope',
    words: 'turn appearance mode night',
  },
  'theme-system': {
    keys: [],
    label: 'Use the system theme',
    group: 'Tabscope',
    words: 'turn appearance mode auto',
  },
  'updates-check': {
    keys: [],
    label: 'Check for updates',
    group: 'Tabscope',
    words: 'version upgrade new release',
  },
  'logs-folder': {
    keys: [],
    label: 'Show log files',
    group: 'Tabscope',
    words: 'folder file trouble diagnose debug support',
  },
  licences: {
    keys: [],
    label: 'Show licenses',
    group: 'Tabscope',
    words: 'licenses open source notices legal third party',
  },
  about: {
    keys: [],
    label: 'About Tabscope',
    group: 'Tabscope',
    words: 'what version bug report copy info',
  },
  'go-deliveries': {
    keys: ['D'],
    label: 'Go to deliveries',
    group: 'Go to',
    words: 'list webhooks live',
  },
  'go-compose': {
    keys: ['C'],
    label: 'Go to compose',
    group: 'Go to',
    words: 'write request draft',
  },
  'go-jobs': { keys: ['J'], label: 'Go to jobs', group: 'Go to', words: 'bulk re-send many' },
  'go-conformance': {
    keys: ['F'],
    label: 'Go to conformance',
    group: 'Go to',
    words: 'findings report',
  },
  'go-rehearse': {
    keys: ['H'],
    label: 'Go to rehearse',
    group: 'Go to',
    words: 'test handler rehearsal cases grade webhook',
  },
  'go-authorization': { keys: ['A'], label: 'Go to authorization', group: 'Go to', words: 'oauth' },
  'go-console': {
    keys: ['P'],
    label: 'Go to the API console',
    group: 'Go to',
    words: 'http request',
  },
  'go-endpoints': {
    keys: ['E'],
    label: 'Go to endpoints',
    group: 'Go to',
    words: 'webhook url secret forward response rule',
  },
  tunnel: { keys: ['T'], label: 'Go to the tunnel', group: 'Go to', words: 'public address' },
  'go-sandbox': {
    keys: ['S'],
    label: 'Go to the sandbox',
    group: 'Go to',
    words: 'samples simulate traffic',
  },
  logs: { keys: ['L'], label: 'Go to event logs', group: 'Go to', words: 'import export file' },
  'go-assistants': {
    keys: [],
    label: 'Go to assistant activity',
    group: 'Go to',
    words: 'mcp agent ai coding assistant access',
  },
  'go-settings': {
    keys: ['Mod+,'],
    label: 'Go to settings',
    group: 'Go to',
    words: 'preferences options configure',
  },
} as const satisfies Record<string, Command>
