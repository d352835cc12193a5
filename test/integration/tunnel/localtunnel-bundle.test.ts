import { cp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { openLocalServer, startTunnel, tunnelThread } from '#test/support/localtunnel.ts'
import { publicRequest } from '#test/support/public-request.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'

it('The thread of the localtunnel client needs nothing but Node and the build', async () => {
  await using folder = ownedFolder()
  const built = path.dirname(fileURLToPath(tunnelThread))
  await cp(built, folder.path, { recursive: true, filter: (file) => !file.endsWith('.map') })
  await writeFile(path.join(folder.path, 'package.json'), '{"type":"module"}')
  const alone = pathToFileURL(path.join(folder.path, 'tunnel-thread.js'))

  await using server = await tunnelServer()
  await using localServer = await openLocalServer((_request, response) => void response.end('ok'))
  await using tried = startTunnel(
    { options: { host: server.host }, port: localServer.port },
    { tunnelThread: alone, env: {} },
  )
  const { url } = await tried.opening
  expect((await publicRequest(url, { body: 'x' })).body.toString()).toBe('ok')
  // The client's command line is not included.
  expect(await readFile(alone, 'utf8')).not.toMatch(/yargs|openurl/)
})
