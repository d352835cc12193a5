import type { Integration, Preflight } from '#contract/integrations.ts'

export type PreflightInput = Pick<
  Integration,
  'baseUrl' | 'accessId' | 'accessSecret' | 'redirectUrl' | 'redirectUrls' | 'kind'
>

/** Looks at what a flow needs before anything opens. Pure. */
export function preflight({ redirectUrl }: PreflightInput): Preflight {
  return {
    ready: false,
    checks: [],
    redirectUrl,
    comesBack: 'paste',
    authorizeUrl: null,
    tokenUrl: null,
  }
}
