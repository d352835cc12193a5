import { inGroup } from './command.ts'

export const appCommands = {
  ...inGroup('Tabscope', {
    palette: {
      keys: ['Mod+k'],
      label: 'Find a command, delivery or setting',
      words: 'palette search run',
    },
    help: { keys: ['?'], label: 'Show keyboard shortcuts', words: 'keys' },
    'user-guide': {
      keys: ['F1'],
      label: 'Open the user guide',
      words: 'help documentation manual docs',
    },
    'theme-light': { keys: [], label: 'Use the light theme', words: 'turn appearance mode day' },
    'theme-dark': { keys: [], label: 'Use the dark theme', words: 'turn appearance mode night' },
    'theme-system': { keys: [], label: 'Use the system theme', words: 'turn appearance mode auto' },
    'updates-check': { keys: [], label: 'Check for updates', words: 'version upgrade new release' },
    'command-line-install': {
      keys: [],
      label: 'Install the command line',
      words: 'terminal shell cli path node tabscope',
    },
    'command-line-remove': {
      keys: [],
      label: 'Remove the command line',
      words: 'terminal shell cli uninstall delete',
    },
    'logs-folder': {
      keys: [],
      label: 'Show log files',
      words: 'folder file trouble diagnose debug support',
    },
    messages: {
      keys: [],
      label: 'Show messages',
      words: 'history notification toast error earlier',
    },
    licences: {
      keys: [],
      label: 'Show licenses',
      words: 'licenses open source notices legal third party',
    },
    about: { keys: [], label: 'About Tabscope', words: 'what version bug report copy info' },
  }),
  ...inGroup('Go to', {
    'go-deliveries': { keys: ['D'], label: 'Go to deliveries', words: 'list webhooks live' },
    'go-compose': { keys: ['C'], label: 'Go to compose', words: 'write request draft' },
    'go-jobs': { keys: ['J'], label: 'Go to jobs', words: 'bulk re-send many' },
    'go-conformance': { keys: ['F'], label: 'Go to conformance', words: 'findings report' },
    'go-health': {
      keys: [],
      label: 'Go to health',
      words: 'counts charts silence alert delay failures coverage handlers uptime',
    },
    'go-rehearse': {
      keys: ['H'],
      label: 'Go to rehearse',
      words: 'test handler rehearsal cases grade webhook',
    },
    'go-generate': {
      keys: [],
      label: 'Go to generate',
      words: 'types schema openapi asyncapi handler code tests fixtures typescript python',
    },
    'go-authorization': { keys: ['A'], label: 'Go to authorization', words: 'oauth' },
    'go-console': { keys: ['P'], label: 'Go to the API console', words: 'http request' },
    'go-endpoints': {
      keys: ['E'],
      label: 'Go to endpoints',
      words: 'webhook url secret forward response rule',
    },
    'go-scripts': {
      keys: [],
      label: 'Go to scripts',
      words: 'javascript typescript code compute change transform function',
    },
    tunnel: { keys: ['T'], label: 'Go to the tunnel', words: 'public address' },
    'go-relay': {
      keys: [],
      label: 'Go to the relay',
      words: 'nats team invitation receiver offline missed away',
    },
    'go-sandbox': { keys: ['S'], label: 'Go to the sandbox', words: 'samples simulate traffic' },
    logs: { keys: ['L'], label: 'Go to event logs', words: 'import export file' },
    'go-assistants': {
      keys: [],
      label: 'Go to assistant activity',
      words: 'mcp agent ai coding assistant access',
    },
    'go-settings': {
      keys: ['Mod+,'],
      label: 'Go to settings',
      words: 'preferences options configure',
    },
  }),
}
