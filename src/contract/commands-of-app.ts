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
    'go-logs': { keys: ['L'], label: 'Go to event logs', words: 'import export file' },
    'go-drafts': { keys: ['C'], label: 'Go to drafts', words: 'compose write request send' },
    'go-scenarios': { keys: [], label: 'Go to scenarios', words: 'replay sequence send again' },
    'go-history': {
      keys: ['J'],
      label: 'Go to the history of jobs',
      words: 'send bulk resend re-send many results',
    },
    'go-coverage': {
      keys: [],
      label: 'Go to handler coverage',
      words: 'targets types responses forwarded',
    },
    'go-rehearsals': {
      keys: ['H'],
      label: 'Go to rehearsals',
      words: 'rehearse test handler cases grade webhook',
    },
    'go-generate': {
      keys: [],
      label: 'Go to generated code',
      words: 'generate types schema openapi asyncapi handler tests fixtures typescript python',
    },
    'go-health': {
      keys: [],
      label: 'Go to health',
      words: 'counts charts silence delay failures uptime',
    },
    'go-alerts': {
      keys: [],
      label: 'Go to alerts',
      words: 'health unusual silence failures threshold notify',
    },
    'go-differences': {
      keys: ['F'],
      label: 'Go to differences from the documentation',
      words: 'conformance findings report fields',
    },
    'go-authorization': { keys: ['A'], label: 'Go to authorization', words: 'oauth runs history' },
    'go-tokens': { keys: [], label: 'Go to tokens', words: 'access oauth' },
    'go-console': {
      keys: ['P'],
      label: 'Go to the API console',
      words: 'http request copy as curl',
    },
    'go-refresh': { keys: [], label: 'Go to the refresh rule', words: 'token renew experiment' },
    'go-integration': {
      keys: [],
      label: 'Go to the integration',
      words: 'setup brand base url access id secret redirect',
    },
    'go-endpoints': {
      keys: ['E'],
      label: 'Go to endpoints',
      words: 'setup webhook url secret forward mock response rule',
    },
    'go-scripts': {
      keys: [],
      label: 'Go to scripts',
      words: 'javascript typescript code compute change transform function',
    },
    'go-reach': {
      keys: ['T'],
      label: 'Go to reachability',
      words: 'tunnel public address listener',
    },
    'go-relay': {
      keys: [],
      label: 'Go to the relay',
      words: 'nats team invitation receiver offline missed away',
    },
    'go-sandbox': { keys: ['S'], label: 'Go to the sandbox', words: 'samples simulate traffic' },
    'go-assistants': {
      keys: [],
      label: 'Go to assistants',
      words: 'activity mcp agent ai coding assistant access',
    },
    'go-settings': {
      keys: ['Mod+,'],
      label: 'Go to settings',
      words: 'preferences options configure',
    },
  }),
}
