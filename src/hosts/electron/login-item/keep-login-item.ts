import type { Log } from '#engine/ports.ts'
import type { LoginItem } from './login-item.ts'

interface Parts {
  readonly item: LoginItem
  /** How the system had it when it was last looked at, in this run or one before. */
  readonly last: { get(): boolean; set(on: boolean): void }
  /** The settings are to say this. */
  readonly tell: (on: boolean) => void
  readonly log: Log
}

/** Keeps the system and the settings to the same: whichever was changed last is right. */
export interface KeptLoginItem {
  /** The settings say this. */
  settings(on: boolean): void
  /** Somebody looks at Tabscope, perhaps after having changed it in the system's settings. */
  look(): void
}

export function keepLoginItem({ item, last, tell, log }: Parts): KeptLoginItem {
  let wanted: boolean | undefined

  function now(): boolean {
    try {
      return item.read()
    } catch (error) {
      log.warn(`Whether Tabscope opens at log-in could not be found out: ${String(error)}`)
      return last.get()
    }
  }

  /** What the system has, it has: the settings say the same from here on. */
  function settle(): void {
    const on = now()
    if (on !== last.get()) last.set(on)
    if (on === wanted) return
    wanted = on
    tell(on)
  }

  function write(on: boolean): void {
    try {
      item.write(on)
    } catch (error) {
      log.warn(`Opening at log-in could not be set: ${String(error)}`)
    }
  }

  return {
    settings(on) {
      if (on === wanted) return
      const first = wanted === undefined
      wanted = on
      // At the start the system may have been changed since; what it has from us is brought up to date, should the program have moved.
      if (!first || now() === last.get()) write(on)
      settle()
    },
    look() {
      if (wanted !== undefined) settle()
    },
  }
}
