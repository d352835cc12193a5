import { AppError } from '../../errors.ts'
import { hostOf } from '../../http/addresses.ts'

/**
 * Whether what is sent to `url` comes back to our own listener: it is under one of the public addresses that lead there (`https://pier9.example/`;
 * `https://bar.example/hooks/`, where only what is under that path does). http and https at their usual ports are one place: a tunnel has both.
 */
export function leadsBack(url: URL, addresses: readonly string[]): boolean {
  return addresses.some((address) => {
    const publicUrl = new URL(address)
    return (
      hostOf(publicUrl) === hostOf(url) &&
      publicUrl.port === url.port &&
      url.pathname.startsWith(publicUrl.pathname)
    )
  })
}

/** Why nothing is forwarded to what leads back. */
export function loopSentence({ origin }: URL): string {
  return `${origin} is the public address of this very listener: what is forwarded there would come back and be forwarded again. Forward to another address.`
}

/** Throws `bad_target`. */
export function assertNoLoop(url: URL, addresses: readonly string[]): void {
  if (leadsBack(url, addresses)) throw new AppError('bad_target', loopSentence(url))
}
