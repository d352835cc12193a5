import type { UpdateState } from '#contract/desktop.ts'
import type { Capabilities } from '#contract/host.ts'
import type { Header, SandboxProblem, SandboxState } from '#contract/models.ts'
import type { SandboxService } from '#contract/sandbox-service.ts'
import type { Clock } from './clock.ts'

export interface SandboxTarget {
  /** `http://127.0.0.1:<port>/hooks/<slug>` */
  readonly url: string
  /** Null: no signature header is sent. */
  readonly secret: string | null
  readonly brand: string
  /** Empty: the sandbox uses its own. */
  readonly applicationId: string
  /** Of the dashboard, sent in addition. */
  readonly customHeaders: readonly Header[]
}

/** Simulates the service. A host creates it from `sandbox/`. Errors for the user are named `SandboxError`; their message is a sentence. */
export interface SandboxPort {
  /** Sends one delivery of each event type, in order. Resolves after the last response. Rejects if one cannot be sent. */
  send(
    target: SandboxTarget,
    types: readonly string[],
    problem?: SandboxProblem | null,
  ): Promise<{ sent: number }>
  /** `rate`: deliveries per second. Stops running traffic first. */
  startTraffic(
    target: SandboxTarget,
    options: { rate: number; seed: number | undefined },
  ): Promise<SandboxState>
  stop(): Promise<SandboxState>
  state(): SandboxState
  /** Calls back on each change, at most ten times a second. Returns a function that stops it. */
  onChange(listener: (state: SandboxState) => void): () => void
  readonly service: SandboxServicePort
  close(): Promise<void>
}

export interface SandboxServicePort {
  /** Tries `port` first, so that the base URL stays the same; if it is in use, the system assigns one. */
  start(options: {
    port: number | null
    redirectUrl: string | null
  }): Promise<{ baseUrl: string; accessId: string; accessSecret: string; redirectUrls: string[] }>
  stop(): Promise<SandboxService>
  configure(change: {
    tokenLifetime?: number | undefined
    faults?: readonly string[] | undefined
  }): SandboxService
  revokeTokens(): SandboxService
  expireTokens(): SandboxService
  state(): SandboxService
  onChange(listener: (state: SandboxService) => void): () => void
}

/** A window of the host: in-memory session, no preload, its real origin in the title. */
export interface AuthorizationWindow {
  /**
   * Opens `url`, and closes the window that was open before. Before each request, `judgeReturn` (`oauth/redirect.ts`) checks for the redirect. A redirect
   * for this run, valid or finally rejected, is passed to `returned` and not requested. The redirect URL without the run's state is passed to `hop` and
   * not requested either.
   */
  open(
    request: { url: string; redirectUrl: string; state: string },
    on: {
      /** The main frame navigates to `url`, which is not the redirect. */
      hop(url: string): void
      returned(url: string): void
      /** The user closed the window. Not called after `close()`. */
      closed(): void
      /** The page could not be loaded; `message` is a sentence. The window stays open. */
      failed(message: string): void
    },
  ): { close(): void }
}

/** Encrypts what is stored. Values that cannot be decrypted must be entered again. */
export interface SecretBox {
  seal(clear: string): Promise<Uint8Array>
  /** Throws if the key is missing or different. */
  unseal(sealed: Uint8Array): Promise<string>
  /** Resolves once both can be used; until then they throw. The keyring may have to ask the user first. Absent: available from the start. */
  readonly unlocked?: Promise<void>
}

/** Never contains secrets or bodies. */
export interface Log {
  info(message: string): void
  warn(message: string): void
  error(message: string, cause: unknown): string
}

export interface ThreadEntries {
  readonly capture: URL
  readonly writer: URL
  readonly indexer: URL
  readonly reader: URL
  readonly sender: URL
  readonly tunnel: URL
  /** For one export or preview. */
  readonly exporter: URL
  /** For one import. */
  readonly importer: URL
  readonly relay: URL
  /** For one rehearsal. */
  readonly rehearsal: URL
  /** Started by the sender thread, for all scripts. */
  readonly script: URL
}

/** Each resolves to an absolute path; null if the user cancels. */
export interface FileDialogs {
  /** Asks for confirmation if the file exists. */
  save(name: string): Promise<string | null>
  open(): Promise<string | null>
}

export interface SystemPort {
  /** Components other than Tabscope: `Electron`, `Chromium`, `Node` ... */
  versions(): readonly { readonly name: string; readonly version: string }[]
  readonly logFile: string
  /** In the system's file manager. Resolves to false if there is none. */
  showLogs(): Promise<boolean>
  /** Resolves to false if the host has no access to the clipboard. */
  copyText(text: string): Promise<boolean>
  /** What to type before a command in a terminal; null: the host has no command line of its own. */
  command(): string | null
  /** Null: the host does not support updates. */
  readonly updates: UpdatesPort | null
}

export interface UpdatesPort {
  state(): UpdateState
  onChange(listener: (state: UpdateState) => void): void
  check(): Promise<UpdateState>
  download(): Promise<UpdateState>
}

export interface EnginePorts {
  readonly secrets: SecretBox
  readonly sandbox: SandboxPort
  readonly log: Log
  readonly threads: ThreadEntries
  readonly capabilities: Capabilities
  /** Null: the host has no windows. */
  readonly authorizationWindow: AuthorizationWindow | null
  /** Null: the host has none (capability `nativeDialogs`). */
  readonly dialogs: FileDialogs | null
  readonly system: SystemPort
  /** `url`: http or https. Resolves to false if there is no browser. */
  openExternal(url: string): Promise<boolean>
  /** For the URL of an origin: the proxies of the system, as `PROXY a.example:3128;DIRECT`. Absent: only the environment is known. */
  readonly resolveProxy?: (url: string) => Promise<string>
  readonly clock?: Clock
}
