import type { UpdateState } from '#contract/desktop.ts'
import type { Capabilities } from '#contract/host.ts'
import type { Header, SandboxState } from '#contract/models.ts'
import type { SandboxService } from '#contract/sandbox-service.ts'
import type { CaptureLimits } from '../capture/messages.ts'
import type { Clock } from './clock.ts'
import type { TunnelTimings } from '../tunnel/timings.ts'

/** Where the sandbox sends, and as whom. */
export interface SandboxTarget {
  /** `http://127.0.0.1:<port>/hooks/<slug>` */
  readonly url: string
  /** Null: no signature header is sent. */
  readonly secret: string | null
  readonly brand: string
  /** Empty: the sandbox's own. */
  readonly applicationId: string
  /** Custom headers of the dashboard, sent in addition. */
  readonly customHeaders: readonly Header[]
}

/**
 * The service in miniature, as the engine uses it. A host puts it together from `sandbox/`. What it cannot do it rejects with an error
 * named `SandboxError`, whose message is a sentence for people.
 */
export interface SandboxPort {
  /** One delivery of each type named, in order; resolves when the last is answered. Rejects when one cannot be sent. */
  send(target: SandboxTarget, types: readonly string[]): Promise<{ sent: number }>
  /** Starts "an evening" at `rate` deliveries a second; a running one is stopped first. */
  startEvening(
    target: SandboxTarget,
    options: { rate: number; seed: number | undefined },
  ): Promise<SandboxState>
  stop(): Promise<SandboxState>
  state(): SandboxState
  /** Calls back on each change, at most ten times a second; returns the way to end it. */
  onChange(listener: (state: SandboxState) => void): () => void
  readonly service: SandboxServicePort
  close(): Promise<void>
}

/** The sandbox's authorization page, token endpoint and made-up resource, on a port of their own. */
export interface SandboxServicePort {
  /** `port` is asked for first, so that an address stays what it was; when it is taken the system chooses. Running already: as it is. */
  start(wish: {
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

/** A window of the host for the authorization page: in-memory session, no preload, its real origin in the title. */
export interface AuthorizationWindow {
  /**
   * Opens `url`. The way back is judged by `judgeReturn` (`oauth/redirect.ts`) before a request leaves: what is ours, or is refused for good,
   * is told to `returned` and never requested. The redirect URL without the run's state is told to `hop`, and not requested either. One window at a time: opening a second one closes the first.
   */
  open(
    wish: { url: string; redirectUrl: string; state: string },
    on: {
      /** The main frame goes to `url`, or wanted to, which is not the way back. */
      hop(url: string): void
      returned(url: string): void
      /** The user closed it. Not told after `close()`. */
      closed(): void
      /** The page could not be loaded; why, as a sentence. The window stays. */
      failed(message: string): void
    },
  ): { close(): void }
}

/** Seals secrets and tokens before they reach a row. What cannot be unsealed must be entered again. */
export interface SecretBox {
  seal(clear: string): Promise<Uint8Array>
  /** Throws when the key is gone or another one. */
  unseal(sealed: Uint8Array): Promise<string>
  /**
   * Resolves when secrets can be sealed and unsealed; until then both throw. A keyring may ask the user first, who may never answer. Absent:
   * they can be from the beginning.
   */
  readonly unlocked?: Promise<void>
}

/** Lines for people who look for a fault. Never a secret, never a body. */
export interface Log {
  info(message: string): void
  warn(message: string): void
  /** Returns the id under which the line can be found. */
  error(message: string, cause: unknown): string
}

/** The built entry files of the engine's threads. */
export interface ThreadEntries {
  readonly capture: URL
  readonly writer: URL
  readonly reader: URL
  readonly sender: URL
  /** The localtunnel client. */
  readonly tunnel: URL
  /** Of one export or preview. */
  readonly exporter: URL
  /** Of one import. */
  readonly importer: URL
}

/** The host's dialogs for files. Each resolves with an absolute path; null: the user has changed their mind. */
export interface FileDialogs {
  /** Asks before it names a file that is there already. */
  save(name: string): Promise<string | null>
  open(): Promise<string | null>
}

/** What a host tells of itself and does in the system. */
export interface SystemPort {
  /** Beside Tabscope's own: `Electron`, `Chromium`, `Node` … */
  versions(): readonly { readonly name: string; readonly version: string }[]
  /** Absolute path of the log that is written to. */
  readonly logFile: string
  /** Shows the log in the system's file manager; false where there is none. */
  showLogs(): Promise<boolean>
  /** Puts text on the system's clipboard; false where the host has no access to it. */
  copyText(text: string): Promise<boolean>
  /** Null: the host does not bring itself up to date. */
  readonly updates: UpdatesPort | null
}

export interface UpdatesPort {
  state(): UpdateState
  onChange(listener: (state: UpdateState) => void): void
  check(): Promise<UpdateState>
  download(): Promise<UpdateState>
  /** Ends Tabscope and starts the new version. */
  install(): Promise<void>
}

/** What a host lends the engine. */
export interface EnginePorts {
  readonly secrets: SecretBox
  readonly sandbox: SandboxPort
  readonly log: Log
  readonly threads: ThreadEntries
  readonly capabilities: Capabilities
  /** Null: the host has no windows. */
  readonly authorizationWindow: AuthorizationWindow | null
  /** The host's dialogs; null: it has none (capability `nativeDialogs`). */
  readonly dialogs: FileDialogs | null
  readonly system: SystemPort
  /** The built page of the `html` format. */
  readonly viewerPage: URL
  /** Opens an http or https address in the system's browser; false where there is none. */
  openExternal(url: string): Promise<boolean>
  /** The system's unless given. */
  readonly clock?: Clock
}

export interface EngineConfig {
  /** Absolute path of the folder that holds the store. Made when absent. */
  readonly dataDir: string
  readonly version: string
  /** Overrides the port of the settings for this run, without storing it. */
  readonly listenerPort?: number | undefined
  /** False for a command that only reads. */
  readonly listen?: boolean
  /** `none`: a tunnel that was open the last time is not opened again by itself. */
  readonly tunnel?: 'none' | undefined
  /** False for a command that ends by itself: nothing is refreshed by the clock. True unless given. */
  readonly background?: boolean
  /** True: a damaged store is refused and left as it is; else it is set aside and a new one begun. */
  readonly keepDamaged?: boolean
  /** Overrides of what the listener bears. */
  readonly limits?: Partial<CaptureLimits>
  /** Overrides of how long the tunnel waits for what. */
  readonly tunnelPace?: Partial<TunnelTimings>
}
