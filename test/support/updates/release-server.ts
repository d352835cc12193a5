import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Failures of the server: no response, a response that stalls, or a connection closed during the response. */
export type Fault = 'hangs' | 'stalls' | 'breaks'

export interface ReleaseServer extends AsyncDisposable {
  readonly url: string
  /** The public key of the releases, as configured in a build. */
  readonly key: string
  /**
   * Replaces the release for the current system: one file for each extension with these bytes. `forged`: signed with another key;
   * `called`: different file name in the description.
   */
  release(version: string, bytes: string, options?: ReleaseOptions): void
  swap(name: string, bytes: string): void
  /** Sets the failure for requests to a file; null: none. */
  fail(name: string, fault: Fault | null): void
  readonly asked: readonly string[]
}

interface ReleaseOptions {
  readonly forged?: boolean
  readonly endings?: readonly string[]
  readonly called?: (name: string) => string
}

export async function startReleaseServer(): Promise<ReleaseServer> {
  const files = new Map<string, string>()
  const faults = new Map<string, Fault>()
  const asked: string[] = []
  const ours = generateKeyPairSync('ed25519')
  const others = generateKeyPairSync('ed25519')
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    asked.push(pathname)
    const name = pathname.slice(1)
    const found = files.get(name)
    const fault = faults.get(name)
    if (fault === 'hangs') return
    if (fault === undefined || found === undefined) {
      response.writeHead(found === undefined ? 404 : 200).end(found)
      return
    }
    response.writeHead(200, { 'content-length': Buffer.byteLength(found) })
    response.write(found.slice(0, found.length / 2), () => {
      if (fault === 'breaks') response.destroy()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    key: ours.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    asked,
    release(version, bytes, { forged = false, endings = ['AppImage'], called = asIs } = {}) {
      const digest = createHash('sha512').update(bytes)
      const names = endings.map((ending) => `tabscope-${version}-linux-${process.arch}.${ending}`)
      const hex = digest.copy().digest('hex')
      const sums = names.map((name) => `${hex}  ${name}\n`).join('')
      const key = forged ? others.privateKey : ours.privateKey
      for (const name of names) files.set(name, bytes)
      files.set('SHA512SUMS', sums)
      files.set('SHA512SUMS.sig', sign(null, Buffer.from(sums), key).toString('base64'))
      const sha512 = digest.digest('base64')
      // JSON is YAML.
      const description = JSON.stringify({
        version,
        files: names.map((name) => ({ url: called(name), sha512, size: bytes.length })),
        path: names[0],
        releaseDate: '2026-11-01T00:00:00.000Z',
      })
      for (const channel of ['latest-linux.yml', 'latest-linux-arm64.yml']) {
        files.set(channel, description)
      }
    },
    swap: (name, bytes) => void files.set(name, bytes),
    fail(name, fault) {
      if (fault === null) faults.delete(name)
      else faults.set(name, fault)
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

function asIs(name: string): string {
  return name
}
