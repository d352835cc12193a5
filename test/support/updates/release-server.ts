import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReleaseServer extends AsyncDisposable {
  readonly url: string
  /** The public key of its releases, as a build is given it. */
  readonly key: string
  /** Puts a release in the place of the last one, for this system: an AppImage with these bytes. `forged`: signed by somebody else. */
  release(version: string, bytes: string, wish?: { forged?: boolean }): void
  /** Puts other bytes behind a name that was released. */
  swap(name: string, bytes: string): void
  /** Paths that were asked for. */
  readonly asked: readonly string[]
}

/** A server of releases, as files beside each other: what the builder writes, digests, their signature. */
export async function startReleaseServer(): Promise<ReleaseServer> {
  const files = new Map<string, string>()
  const asked: string[] = []
  const ours = generateKeyPairSync('ed25519')
  const others = generateKeyPairSync('ed25519')
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    asked.push(pathname)
    const found = files.get(pathname.slice(1))
    response.writeHead(found === undefined ? 404 : 200).end(found)
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
    release(version, bytes, wish = {}) {
      const name = `tabscope-${version}-linux-${process.arch}.AppImage`
      const digest = createHash('sha512').update(bytes)
      const sums = `${digest.copy().digest('hex')}  ${name}\n`
      const key = wish.forged === true ? others.privateKey : ours.privateKey
      files.set(name, bytes)
      files.set('SHA512SUMS', sums)
      files.set('SHA512SUMS.sig', sign(null, Buffer.from(sums), key).toString('base64'))
      const description = [
        `version: ${version}`,
        'files:',
        `  - url: ${name}`,
        `    sha512: ${digest.digest('base64')}`,
        `    size: ${bytes.length}`,
        `path: ${name}`,
        `releaseDate: '2026-11-01T00:00:00.000Z'`,
      ].join('\n')
      for (const channel of ['latest-linux.yml', 'latest-linux-arm64.yml']) {
        files.set(channel, description)
      }
    },
    swap: (name, bytes) => void files.set(name, bytes),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
