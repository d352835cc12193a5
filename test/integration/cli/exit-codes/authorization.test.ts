import { afterAll, beforeAll, test } from 'vitest'
import { openCliService, type CliService } from '#test/support/cli-service.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { freePort } from '#test/support/free-port.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { expectExitCodes, type Row } from './rows.ts'

let cli: CliService
let mara: number
let jonas: number

beforeAll(async () => {
  cli = await openCliService()
  mara = await cli.connect(['--label', 'Mara'])
  jonas = await cli.connect(['--label', 'Jonas'], 'jonas')
})
afterAll(() => cli[Symbol.asyncDispose]())

const rows: readonly Row[] = [
  ['integration set --name Empty', 0],
  ['integration set', 2, 'usage'],
  ['integration set --name=', 2, 'usage'],
  ['integration set --name Empty --brand 1', 2, 'bad_input'],
  ['integration set --name Empty --auto-refresh yes', 2, 'usage'],
  ['integration set --name Empty --due-before 86401s', 2, 'usage'],
  ['integration set --name Empty --due-before 10m', 0],
  ['integration set --name Empty --refresh-template /nowhere', 2, 'bad_input'],
  ['integration set --name E --access-secret=', 2, 'usage'],
  ['integration set --name E --access-secret-env TABSCOPE_NOT_SET', 2, 'usage'],
  ['integration set --name=E --access-secret=x --access-secret-env=Y', 2, 'usage'],
  ['integration set --name Mine --use-redirect-url http://127.0.0.1:1/other', 2, 'bad_input'],
  ['integration list', 0],
  ['integration list more', 2, 'usage'],
  ['integration show mine', 0],
  ['integration show', 2, 'usage'],
  ['integration show Nobody', 3, 'not_found'],
  ['integration check Mine', 0],
  ['integration check Empty', 1],
  ['integration check', 2, 'usage'],
  ['integration check Nobody', 3, 'not_found'],
  ['integration', 2, 'usage'],
  ['integration fly', 2, 'usage'],

  ['authorize --no-open --integration Empty', 1, 'not_ready'],
  ['authorize --no-open', 2, 'usage'],
  ['authorize --timeout 0', 2, 'usage'],
  ['authorize --timeout 30', 2, 'usage'],
  ['authorize --timeout 61m', 2, 'usage'],
  ['authorize --replace x', 2, 'usage'],
  ['authorize now', 2, 'usage'],
  ['authorize --integration Nobody', 3, 'not_found'],
  ['authorize --no-open --integration Mine --replace 999', 3, 'not_found'],

  ['integration remove Empty', 4, 'confirmation_required'],
  ['integration remove Empty --yes', 0],
  ['integration remove', 2, 'usage'],
  ['integration remove Empty -y', 3, 'not_found'],

  ['token', 0],
  ['token list --integration Mine', 0],
  ['token list --integration Nobody', 3, 'not_found'],
  ['token fly', 2, 'usage'],
  ['token show {mara}', 0],
  ['token show {mara} --reveal', 0],
  ['token show', 2, 'usage'],
  ['token show x', 2, 'usage'],
  ['token show {mara} access', 2, 'usage'],
  ['token show {mara} both --reveal', 2, 'usage'],
  ['token show 999', 3, 'not_found'],
  ['token label {mara} Mara%at%the%bar', 0],
  ['token label {mara}', 2, 'usage'],
  [`token label {mara} ${'x'.repeat(81)}`, 2, 'bad_input'],
  ['token label 999 a', 3, 'not_found'],
  ['token refresh {jonas}', 0],
  ['token refresh', 2, 'usage'],
  ['token refresh 999', 3, 'not_found'],

  ['call GET {locations}', 0],
  ['call GET /nowhere', 1],
  ['call GET', 2, 'usage'],
  ['call GET /a b', 2, 'usage'],
  ['call GET /a --token x', 2, 'usage'],
  ['call GET /a --token {mara} --no-token', 2, 'usage'],
  ['call GET /a --no-token --token {mara}', 2, 'usage'],
  ['call GET /a --include', 2, 'usage'],
  ['call GET /a --query nothing', 2, 'usage'],
  ['call GET /a --header nothing', 2, 'usage'],
  ['call GET /a --timeout 0', 2, 'usage'],
  ['call GET /a --timeout 11m', 2, 'usage'],
  ['call POST /a --body @/nowhere', 2, 'bad_input'],
  ['call G%ET /a', 2, 'bad_input'],
  ['call GET /a --token 999', 3, 'not_found'],
  ['call GET /a --integration Nobody', 3, 'not_found'],
  ['call GET http://127.0.0.1:9/', 4, 'other_origin'],

  ['token revoke-local {mara}', 0],
  ['token revoke-local', 2, 'usage'],
  ['token revoke-local 999', 3, 'not_found'],
  ['token show {mara} --reveal', 1, 'token_unusable'],
  ['token refresh {mara}', 1, 'refresh_no_token'],
  ['call GET {locations} --token {mara}', 1, 'token_unusable'],
  ['token remove {mara}', 4, 'confirmation_required'],
  ['token remove {mara} --yes', 0],
  ['token remove', 2, 'usage'],
  ['token remove {mara} --yes', 3, 'not_found'],

  ['authorization', 0],
  ['authorization list -n 1', 0],
  ['authorization list --limit 0', 2, 'usage'],
  ['authorization list --integration Nobody', 3, 'not_found'],
  ['runs fly', 2, 'usage'],
  ['authorization show 1', 0],
  ['authorization show', 2, 'usage'],
  ['authorization show 999', 3, 'not_found'],

  ['endpoint list', 0],
  ['endpoint list more', 2, 'usage'],
  ['endpoint add bar --integration Mine', 0],
  ['endpoint add bar --integration Mine', 1, 'path_taken'],
  ['endpoint add', 2, 'usage'],
  ['endpoint add Not%A%Slug --integration Mine', 2, 'bad_input'],
  ['endpoint add b --secret-env TABSCOPE_NOT_SET', 2, 'usage'],
  ['endpoint add b --secret-stdin', 2, 'usage'],
  ['endpoint add b --integration Nobody', 3, 'not_found'],
  ['endpoint show bar', 0],
  ['endpoint show', 2, 'usage'],
  ['endpoint show nope', 3, 'not_found'],
  ['endpoint set bar --name The%bar', 0],
  ['endpoint set bar --slug sandbox', 1, 'path_taken'],
  ['endpoint set bar', 2, 'usage'],
  ['endpoint set bar --header a:%b --clear-headers', 2, 'usage'],
  ['endpoint set nope --name a', 3, 'not_found'],
  ['endpoint set-secret bar --generate', 0],
  ['endpoint set-secret bar', 2, 'usage'],
  ['endpoint set-secret bar --secret s --generate', 2, 'usage'],
  ['endpoint set-secret bar --secret s --reveal', 2, 'usage'],
  ['endpoint set-secret nope --generate', 3, 'not_found'],
  ['endpoint remove bar', 4, 'confirmation_required'],
  ['endpoint remove bar --yes', 0],
  ['endpoint remove', 2, 'usage'],
  ['endpoint remove bar --yes', 3, 'not_found'],

  ['settings get', 0],
  ['settings get port', 0],
  ['settings get prot', 2, 'usage'],
  ['settings get guide', 2, 'usage'],
  ['settings set keep-bytes 1GiB', 0],
  ['settings set port', 2, 'usage'],
  ['settings set port 65536', 2, 'usage'],
  ['settings set keep-bytes 1023KiB', 2, 'usage'],
  ['settings set theme darc', 2, 'usage'],
  ['settings set background true', 2, 'usage'],
  ['settings set prot 1', 2, 'usage'],
]

test('commands for integrations, tokens, runs, endpoints and settings', async () => {
  await using _ = await openTabscope(cli.folder)
  await expectExitCodes(rows, cli.folder, { mara, jonas, locations: '/api/sandbox/locations' })
})

const withoutTabscope: readonly Row[] = [
  ['tunnel check', 1, 'listener_down'],
  ['tunnel open', 1, 'listener_down'],
]

const tunnelRows: readonly Row[] = [
  ['tunnel', 2, 'usage'],
  ['tunnel fly', 2, 'usage'],
  ['tunnel open', 4, 'server_unconfirmed'],
  ['tunnel open none', 2, 'usage'],
  ['tunnel open nothing', 2, 'usage'],
  ['tunnel open localtunnel@http://localhost:{free}', 1],
  ['tunnel check', 1],
  ['tunnel close', 0],
  ['tunnel copied', 2, 'bad_input'],
  ['tunnel open localtunnel@{server}', 0],
  ['tunnel check', 0],
  ['tunnel status', 0],
  ['tunnel status more', 2, 'usage'],
  ['tunnel copied', 0],
  ['tunnel dismiss', 0],
  ['tunnel dismiss all', 2, 'usage'],
  ['tunnel history --since 1h -n 2', 0],
  ['tunnel history --since someday', 2, 'usage'],
  ['tunnel providers', 0],
  ['tunnel close now', 2, 'usage'],
  ['tunnel close', 0],
]

test('commands for the tunnel', async () => {
  await expectExitCodes(withoutTabscope, cli.folder)
  await using server = await tunnelServer()
  await using _ = await openTabscope(cli.folder)
  const values = { free: await freePort(), server: server.host }
  await expectExitCodes(tunnelRows, cli.folder, values)
})
