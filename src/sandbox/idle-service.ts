import { SandboxError } from './errors.ts'

const idle = {
  running: false,
  baseUrl: null,
  dashboardUrl: null,
  redirectUrls: [],
  users: [],
  tokenLifetime: 86_400,
  faults: [],
  tokens: 0,
}

/** Stands in until the service is joined. */
export const idleService = {
  start: async (): Promise<never> => {
    throw new SandboxError('closed', 'The sandbox service is not there yet.')
  },
  stop: async () => idle,
  configure: () => idle,
  revokeTokens: () => idle,
  expireTokens: () => idle,
  state: () => idle,
  onChange: () => () => undefined,
}
