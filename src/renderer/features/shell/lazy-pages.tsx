import { lazy } from 'react'

/*
 * All that is not on the first screen is loaded when it is first wanted: what the window needs before it can show the list stays small
 * (`test/e2e/first-run.test.ts` says how small).
 */

export const ComposePage = lazy(async () => {
  const { ComposePage: page } = await import('../compose/ComposePage.tsx')
  return { default: page }
})

export const JobsPage = lazy(async () => {
  const { JobsPage: page } = await import('../jobs/JobsPage.tsx')
  return { default: page }
})

export const ConformancePage = lazy(async () => {
  const { ConformancePage: page } = await import('../conformance/ConformancePage.tsx')
  return { default: page }
})

export const AuthorizationPage = lazy(async () => {
  const { AuthorizationPage: page } = await import('../authorization/AuthorizationPage.tsx')
  return { default: page }
})

export const ConsolePage = lazy(async () => {
  const { ConsolePage: page } = await import('../console/ConsolePage.tsx')
  return { default: page }
})

export const EndpointsPage = lazy(async () => {
  const { EndpointsPage: page } = await import('../endpoints/EndpointsPage.tsx')
  return { default: page }
})

export const TunnelPage = lazy(async () => {
  const { TunnelPage: page } = await import('../tunnel/TunnelPage.tsx')
  return { default: page }
})

export const SandboxPage = lazy(async () => {
  const { SandboxPage: page } = await import('#renderer/features/sandbox/SandboxPage.tsx')
  return { default: page }
})

export const LogsPage = lazy(async () => {
  const { LogsPage: page } = await import('../logs/LogsPage.tsx')
  return { default: page }
})

export const LogPage = lazy(async () => {
  const { LogPage: page } = await import('../deliveries/log/LogPage.tsx')
  return { default: page }
})

export const SettingsPage = lazy(async () => {
  const { SettingsPage: page } = await import('../settings/SettingsPage.tsx')
  return { default: page }
})

export const ExportDialog = lazy(async () => {
  const { ExportDialog: dialog } = await import('../logs/export/ExportDialog.tsx')
  return { default: dialog }
})
