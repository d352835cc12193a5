import type { TokenView } from '#contract/tokens.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { choice, id } from '../command-line/values.ts'
import { globals } from '../command-line/globals.ts'
import { confirmRemoval } from '../confirm.ts'
import { allIntegrations, findIntegration, withSession } from '../in-session.ts'
import { print, printDetails, printMessage, writeJson, writeLine } from '../output.ts'
import { RunFailed, UsageError } from '../errors.ts'
import type { Session } from '../session.ts'
import { printTable } from '../table.ts'
import { tokenById, tokenColumns, tokenJson, tokenText } from '../token-text.ts'

const list = defineCommand('list', 'List tokens; their values are masked', [
  ['List all tokens', 'token list'],
  ['Tokens of one integration', 'token list --integration "My bar"'],
])
  .option('--integration <name>', 'Only tokens of this integration')
  .action(
    action(({ integration: name }) =>
      withSession('read', async (session) => {
        const integrations = await allIntegrations(session)
        const only = name === undefined ? null : findIntegration(integrations, name)
        const tokens = (await session.call('tokens.list', {})).filter(
          ({ integrationId }) => only === null || integrationId === only.id,
        )
        if (tokens.length === 0) printMessage('No tokens. To get one: tabscope authorize')
        printTable('token', tokens, tokenColumns(integrations), tokenJson)
      }),
    ),
  )

const show = defineCommand('show', 'Show a token with its timeline, or reveal its value', [
  ['State, times and timeline', 'token show 3'],
  ['Only the access token, for a script', 'token show 3 --reveal'],
  ['Only the refresh token', 'token show 3 --reveal refresh'],
])
  .argument('<token>', 'Token ID', id)
  .argument(
    '[value]',
    'With --reveal: access or refresh (default: access)',
    choice('value', ['access', 'refresh']),
  )
  .option('--reveal', 'Print only the value of the token; with --json, both values')
  .action(
    action((tokenId, value, { reveal = false }) => {
      if (value !== undefined && !reveal) {
        throw new UsageError(
          `Unexpected argument "${value}". To print the value: --reveal ${value}`,
        )
      }
      return withSession('read', async (session) => {
        const found = await tokenNumbered(session, tokenId)
        const revealed = async (which: 'access' | 'refresh'): Promise<string> =>
          (await session.call('tokens.reveal', { id: tokenId, which })).value
        if (!reveal) {
          printDetails('token', tokenJson(found), () => tokenText(found))
        } else if (globals.json) {
          const access = value === 'refresh' ? {} : { accessToken: await revealed('access') }
          const refresh =
            value === 'access'
              ? {}
              : { refreshToken: found.hasRefreshToken ? await revealed('refresh') : null }
          writeJson('token', { ...tokenJson(found), ...access, ...refresh })
        } else {
          writeLine(escapeControls(await revealed(value ?? 'access')))
        }
      })
    }),
  )

const refresh = defineCommand('refresh', 'Refresh a token now', [
  ['Refresh a token', 'token refresh 3'],
  ['The refreshed token as JSON', 'token refresh 3 --json'],
])
  .argument('<token>', 'Token ID', id)
  .action(
    action((tokenId) =>
      withSession('change', async (session) => {
        await tokenNumbered(session, tokenId)
        const { failure } = await session.call('tokens.refresh', { id: tokenId })
        if (failure) throw new RunFailed(failure)
        const after = await tokenNumbered(session, tokenId)
        print('token', tokenJson(after), () => tokenText(after))
      }),
    ),
  )

const revokeLocal = defineCommand(
  'revoke-local',
  'Delete the values of a token from Tabscope, not from the service',
  [
    ['Delete the values of a token', 'token revoke-local 3'],
    ['Print the token as JSON', 'token revoke-local 3 --json'],
  ],
)
  .argument('<token>', 'Token ID', id)
  .action(
    action((tokenId) =>
      withSession('change', async (session) => {
        await tokenNumbered(session, tokenId)
        const after = await session.call('tokens.forget', { id: tokenId })
        print(
          'token',
          tokenJson(after),
          () => `Deleted the values of token ${tokenId} from Tabscope.`,
        )
        printMessage(
          'The service was not notified, because its API documentation describes no way to revoke a token. The token stays valid until it expires.',
        )
      }),
    ),
  )

const label = defineCommand('label', 'Set the label of a token', [
  ['Label a token', 'token label 3 "Mara at the bar"'],
  ['Remove the label', 'token label 3 ""'],
])
  .argument('<token>', 'Token ID', id)
  .argument('<text>', 'Text of the label; empty to remove it')
  .action(
    action((tokenId, text) =>
      withSession('change', async (session) => {
        await tokenNumbered(session, tokenId)
        const after = await session.call('tokens.label', { id: tokenId, label: text })
        print('token', tokenJson(after), () => tokenText(after))
      }),
    ),
  )

const remove = defineCommand('remove', 'Delete a token with its timeline', [
  ['Delete it after confirmation', 'token remove 3'],
  ['Delete it without confirmation', 'token remove 3 --yes'],
])
  .argument('<token>', 'Token ID', id)
  .option('-y, --yes', 'Skip the confirmation')
  .action(
    action((tokenId, { yes = false }) =>
      withSession('change', async (session) => {
        await tokenNumbered(session, tokenId)
        const consequence = `Removing token ${tokenId} also deletes its timeline.`
        if (!(await confirmRemoval(consequence, yes))) return 1
        await session.call('tokens.remove', { id: tokenId })
        print(
          'removed',
          { kind: 'token', id: tokenId },
          () => `Removed token ${tokenId} and its timeline.`,
        )
      }),
    ),
  )

export const command = group(
  'token',
  'List, show, refresh and delete access tokens',
  [list, show, refresh, revokeLocal, label, remove],
  list,
)

/** Throws `not_found`. */
async function tokenNumbered(session: Session, tokenId: number): Promise<TokenView> {
  return tokenById(await session.call('tokens.list', {}), tokenId)
}
