import type { TokenView } from '#contract/tokens.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { declare, removed } from '../command-line/declaration.ts'
import { choice, id } from '../command-line/values.ts'
import { globals } from '../command-line/globals.ts'
import { allIntegrations, withSession } from '../session/in-session.ts'
import { print, printDetails, printMessage, writeJson, writeLine } from '../output/output.ts'
import { RunFailed, UsageError } from '../command-line/errors.ts'
import type { Session } from '../session/session.ts'
import { printList } from '../output/table.ts'
import { tokenById, tokenCells, tokenJson, tokenText } from '../output/token-text.ts'

const list = declare('list', {
  does: 'List tokens; their values are masked',
  examples: [
    ['List all tokens', 'token list'],
    ['Tokens of one integration', 'token list --integration "My bar"'],
  ],
  call: 'tokens.list',
  usage: '--integration <name>',
  descriptions: { integrationId: 'Only tokens of this integration' },
  access: 'read',
  print: async (tokens, _, session) => {
    const integrations = await allIntegrations(session)
    printList(
      'token',
      tokens.map(tokenJson),
      tokenCells(integrations),
      'No tokens. To get one: tabscope authorize',
    )
  },
})

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
          const hasRefresh = value !== 'access' && found.hasRefreshToken
          writeJson('token', {
            ...tokenJson(found),
            ...(value !== 'refresh' && { accessToken: await revealed('access') }),
            ...(value !== 'access' && {
              refreshToken: hasRefresh ? await revealed('refresh') : null,
            }),
          })
        } else {
          writeLine(escapeControls(await revealed(value ?? 'access')))
        }
      })
    }),
  )

const ofToken = { usage: '<token>', descriptions: { id: 'Token ID' } } as const

const printToken = (token: TokenView): void =>
  print('token', tokenJson(token), () => tokenText(token))

const refresh = declare('refresh', {
  does: 'Refresh a token now',
  examples: [['Refresh a token', 'token refresh 3']],
  call: 'tokens.refresh',
  ...ofToken,
  print: async ({ failure }, { id: tokenId }, session) => {
    if (failure) throw new RunFailed(failure)
    printToken(await tokenNumbered(session, tokenId))
  },
})

const revokeLocal = declare('revoke-local', {
  does: 'Delete the values of a token from Tabscope, not from the service',
  examples: [['Delete the values of a token', 'token revoke-local 3']],
  call: 'tokens.forget',
  ...ofToken,
  print: (token) => {
    print('token', tokenJson(token), () => `Deleted the values of token ${token.id} from Tabscope.`)
    printMessage(
      'The service was not notified, because its API documentation describes no way to revoke a token. The token stays valid until it expires.',
    )
  },
})

const label = declare('label', {
  does: 'Set the label of a token',
  examples: [
    ['Label a token', 'token label 3 "Mara at the bar"'],
    ['Remove the label', 'token label 3 ""'],
  ],
  call: 'tokens.label',
  usage: '<token> <label>',
  descriptions: { id: 'Token ID' },
  print: printToken,
})

const remove = declare('remove', {
  does: 'Delete a token with its timeline',
  examples: [
    ['Delete it after confirmation', 'token remove 3'],
    ['Delete it without confirmation', 'token remove 3 --yes'],
  ],
  call: 'tokens.remove',
  ...ofToken,
  confirm: async (session, { id: tokenId }) => {
    await tokenNumbered(session, tokenId)
    return `Removing token ${tokenId} also deletes its timeline.`
  },
  print: removed('token'),
})

export const command = group(
  'token',
  'List, show, refresh and delete access tokens',
  [list, show, refresh, revokeLocal, label, remove],
  list,
)

async function tokenNumbered(session: Session, tokenId: number): Promise<TokenView> {
  return tokenById(await session.call('tokens.list', {}), tokenId)
}
