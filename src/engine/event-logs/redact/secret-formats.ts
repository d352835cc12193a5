import { Matcher } from '../../platform/masking/matcher.ts'
import type { Span } from './contacts.ts'

/** Secrets that are recognized by their form. */
interface SecretFormat {
  /** Where the issuer documents the form. */
  readonly source: string
  readonly prefixes: readonly string[]
  /** What may follow the prefix. */
  readonly characters: keyof typeof alphabets
  /** How many characters follow the prefix, at least. */
  readonly least: number
  /** Not one more: the prefix alone is too common. */
  readonly exactly?: true
  /** So many of these characters precede the prefix. */
  readonly before?: number
}

const alphabets = {
  upper: /[A-Z0-9]/,
  hex: /[0-9a-fA-F]/,
  letters: /[A-Za-z0-9]/,
  word: /[A-Za-z0-9_]/,
  url: /[A-Za-z0-9_-]/,
  dotted: /[A-Za-z0-9_.=-]/,
  tilde: /[A-Za-z0-9_.~-]/,
  base64: /[A-Za-z0-9+/=_-]/,
  path: /[A-Za-z0-9/@_-]/,
  dollar: /[A-Za-z0-9$_-]/,
} as const

/**
 * The rule set that this list is compared with, at its commit b58d3f10: every rule that starts with a prefix of its own is here, but for those
 * whose prefix words or digests start with as well (1Password, Airtable, ClickHouse).
 */
const RULES = 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'

/**
 * Forms as their issuers document them, and as gitleaks has them. `src/DECISIONS.md` says why this is a list of our own: a prefix and an
 * alphabet take linear time on any input.
 */
export const secretFormats: readonly SecretFormat[] = [
  // Clouds.
  {
    source:
      'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids',
    prefixes: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    characters: 'upper',
    least: 16,
    exactly: true,
  },
  {
    source:
      'https://learn.microsoft.com/en-us/entra/identity-platform/quickstart-register-app#add-a-client-secret',
    prefixes: ['Q~'],
    characters: 'tilde',
    least: 31,
    before: 4,
  },
  {
    source: 'https://cloud.google.com/docs/authentication/api-keys',
    prefixes: ['AIza'],
    characters: 'url',
    least: 35,
  },
  {
    source: 'https://cloud.google.com/docs/authentication/token-types',
    prefixes: ['ya29.', 'GOCSPX-', '1//0'],
    characters: 'dotted',
    least: 20,
  },
  {
    source: 'https://docs.digitalocean.com/reference/api/create-personal-access-token/',
    prefixes: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    characters: 'hex',
    least: 64,
  },
  {
    source: 'https://devcenter.heroku.com/articles/authentication',
    prefixes: ['HRKU-'],
    characters: 'url',
    least: 36,
  },
  {
    source: 'https://developer.hashicorp.com/vault/docs/concepts/tokens#token-prefixes',
    prefixes: ['hvs.', 'hvb.', 'hvr.'],
    characters: 'url',
    least: 24,
  },
  {
    source: 'https://docs.databricks.com/aws/en/dev-tools/auth/pat',
    prefixes: ['dapi'],
    characters: 'hex',
    least: 32,
  },
  {
    source: 'https://supabase.com/docs/guides/api/api-keys',
    prefixes: ['sbp_', 'sb_secret_'],
    characters: 'url',
    least: 20,
  },
  {
    source: 'https://planetscale.com/docs/api/reference/service-tokens',
    prefixes: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    characters: 'dotted',
    least: 32,
  },
  // Payment.
  {
    source: 'https://docs.stripe.com/keys',
    prefixes: ['sk_live_', 'sk_test_', 'sk_prod_', 'rk_live_', 'rk_test_', 'rk_prod_', 'whsec_'],
    characters: 'base64',
    least: 16,
  },
  {
    source: 'https://developer.squareup.com/docs/build-basics/access-tokens',
    prefixes: ['sq0atp-', 'sq0csp-', 'EAAA'],
    characters: 'url',
    least: 22,
  },
  {
    source: 'https://developer.paypal.com/braintree/docs/guides/authorization/access-token',
    prefixes: ['access_token$production$', 'access_token$sandbox$'],
    characters: 'dollar',
    least: 32,
  },
  {
    source: 'https://docs.mollie.com/reference/authentication',
    prefixes: ['live_', 'test_', 'access_'],
    characters: 'letters',
    least: 30,
  },
  {
    source: 'https://docs.sumup.com/api/authentication',
    prefixes: ['sup_sk_'],
    characters: 'letters',
    least: 20,
  },
  {
    source: 'https://razorpay.com/docs/api/authentication/',
    prefixes: ['rzp_live_', 'rzp_test_'],
    characters: 'letters',
    least: 14,
  },
  {
    source: 'https://developer.flutterwave.com/docs/authentication',
    prefixes: ['FLWSECK-', 'FLWSECK_TEST-'],
    characters: 'url',
    least: 12,
  },
  {
    source: 'https://plaid.com/docs/api/items/',
    prefixes: ['access-production-', 'access-sandbox-', 'access-development-'],
    characters: 'url',
    least: 32,
  },
  {
    source: 'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens',
    prefixes: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shpua_'],
    characters: 'letters',
    least: 32,
  },
  // Source hosting and packages.
  {
    source:
      'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats',
    prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    characters: 'word',
    least: 22,
  },
  {
    source: 'https://docs.gitlab.com/security/tokens/#token-prefixes',
    prefixes: [
      'glpat-',
      'gloas-',
      'gldt-',
      'glrt-',
      'glcbt-',
      'glptt-',
      'glft-',
      'glimt-',
      'glagent-',
      'glsoat-',
      'glffct-',
    ],
    characters: 'dotted',
    least: 20,
  },
  {
    source: 'https://support.atlassian.com/bitbucket-cloud/docs/api-tokens/',
    prefixes: ['ATATT3', 'ATCTT3', 'ATBB'],
    characters: 'base64',
    least: 28,
  },
  {
    source: 'https://docs.npmjs.com/about-access-tokens',
    prefixes: ['npm_'],
    characters: 'letters',
    least: 36,
  },
  {
    source: 'https://pypi.org/help/#apitoken',
    prefixes: ['pypi-'],
    characters: 'url',
    least: 50,
  },
  {
    source: 'https://guides.rubygems.org/api-key-scopes/',
    prefixes: ['rubygems_'],
    characters: 'hex',
    least: 48,
  },
  {
    source: 'https://docs.docker.com/security/access-tokens/',
    prefixes: ['dckr_pat_', 'dckr_oat_'],
    characters: 'url',
    least: 20,
  },
  // Chat and mail.
  {
    source: 'https://docs.slack.dev/authentication/tokens',
    prefixes: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxo-', 'xoxe.', 'xoxe-', 'xapp-'],
    characters: 'dotted',
    least: 20,
  },
  {
    source: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
    prefixes: [
      'hooks.slack.com/services/',
      'hooks.slack.com/triggers/',
      'hooks.slack.com/workflows/',
    ],
    characters: 'path',
    least: 20,
  },
  {
    source:
      'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
    prefixes: ['webhook.office.com/webhookb2/'],
    characters: 'path',
    least: 36,
  },
  {
    source: 'https://discord.com/developers/docs/resources/webhook',
    prefixes: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    characters: 'path',
    least: 20,
  },
  {
    source: 'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys',
    prefixes: ['SG.'],
    characters: 'dotted',
    least: 60,
  },
  {
    source: 'https://documentation.mailgun.com/docs/mailgun/api-reference/mg-auth',
    prefixes: ['key-'],
    characters: 'hex',
    least: 32,
    exactly: true,
  },
  {
    source: 'https://developers.brevo.com/docs/getting-started',
    prefixes: ['xkeysib-', 'xsmtpsib-'],
    characters: 'url',
    least: 64,
  },
  // Tools.
  {
    source: 'https://platform.openai.com/docs/api-reference/authentication',
    prefixes: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-'],
    characters: 'url',
    least: 32,
  },
  {
    source: 'https://docs.anthropic.com/en/api/overview',
    prefixes: ['sk-ant-'],
    characters: 'url',
    least: 32,
  },
  {
    source: 'https://huggingface.co/docs/hub/security-tokens',
    prefixes: ['hf_'],
    characters: 'letters',
    least: 30,
  },
  {
    source: 'https://developers.notion.com/reference/authentication',
    prefixes: ['ntn_', 'secret_'],
    characters: 'letters',
    least: 43,
  },
  {
    source: 'https://linear.app/developers/graphql',
    prefixes: ['lin_api_', 'lin_oauth_'],
    characters: 'word',
    least: 32,
  },
  {
    source: 'https://developers.figma.com/docs/rest-api/personal-access-tokens/',
    prefixes: ['figd_'],
    characters: 'url',
    least: 40,
  },
  {
    source: 'https://grafana.com/docs/grafana/latest/administration/service-accounts/',
    prefixes: ['glsa_', 'glc_'],
    characters: 'base64',
    least: 32,
  },
  {
    source: 'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/',
    prefixes: ['NRAK-', 'NRAA-'],
    characters: 'letters',
    least: 27,
  },
  {
    source: 'https://docs.sentry.io/account/auth-tokens/',
    prefixes: ['sntrys_', 'sntryu_', 'sntrya_'],
    characters: 'base64',
    least: 40,
  },
  {
    source: 'https://learning.postman.com/docs/developer/postman-api/authentication/',
    prefixes: ['PMAK-'],
    characters: 'url',
    least: 50,
  },
  {
    source: 'https://developer.1password.com/docs/service-accounts/security/',
    prefixes: ['ops_ey'],
    characters: 'base64',
    least: 50,
  },
  {
    source: 'https://vercel.com/docs/rest-api#authentication',
    prefixes: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
    characters: 'letters',
    least: 20,
  },
  {
    source: 'https://github.com/FiloSottile/age',
    prefixes: ['AGE-SECRET-KEY-1'],
    characters: 'upper',
    least: 58,
  },
  // Payment and shipping.
  { source: RULES, prefixes: ['EZAK', 'EZTK'], characters: 'letters', least: 54 },
  { source: RULES, prefixes: ['shippo_live_', 'shippo_test_'], characters: 'hex', least: 40 },
  { source: RULES, prefixes: ['duffel_live_', 'duffel_test_'], characters: 'base64', least: 43 },
  // Clouds and platforms.
  { source: RULES, prefixes: ['LTAI'], characters: 'letters', least: 20 },
  { source: RULES, prefixes: ['ABSK'], characters: 'base64', least: 109 },
  { source: RULES, prefixes: ['bedrock-api-key-'], characters: 'base64', least: 20 },
  { source: RULES, prefixes: ['v1.0-'], characters: 'url', least: 171 },
  { source: RULES, prefixes: ['fo1_'], characters: 'url', least: 43 },
  { source: RULES, prefixes: ['fm1a_', 'fm1r_', 'fm2_'], characters: 'base64', least: 100 },
  { source: RULES, prefixes: ['atlasv1.'], characters: 'base64', least: 60 },
  { source: RULES, prefixes: ['sha256~'], characters: 'url', least: 43 },
  { source: RULES, prefixes: ['tk-us-'], characters: 'url', least: 48 },
  { source: RULES, prefixes: ['dt0c01.'], characters: 'dotted', least: 89 },
  // Messaging.
  { source: RULES, prefixes: ['EAAM', 'EAAC'], characters: 'letters', least: 100 },
  { source: RULES, prefixes: ['SK'], characters: 'hex', least: 32, exactly: true },
  // Source hosting, packages and delivery.
  { source: RULES, prefixes: ['GR1348941'], characters: 'url', least: 20 },
  { source: RULES, prefixes: ['AKCp'], characters: 'letters', least: 69 },
  { source: RULES, prefixes: ['cmVmd'], characters: 'letters', least: 59 },
  { source: RULES, prefixes: ['CLOJARS_'], characters: 'letters', least: 60 },
  { source: RULES, prefixes: ['dp.pt.'], characters: 'letters', least: 43 },
  { source: RULES, prefixes: ['pul-'], characters: 'hex', least: 40 },
  { source: RULES, prefixes: ['pnu_'], characters: 'letters', least: 36 },
  { source: RULES, prefixes: ['sgp_'], characters: 'word', least: 40 },
  { source: RULES, prefixes: ['API-'], characters: 'upper', least: 26, exactly: true },
  { source: RULES, prefixes: ['pat.', 'sat.'], characters: 'dotted', least: 68 },
  { source: RULES, prefixes: ['ico-'], characters: 'letters', least: 32 },
  { source: RULES, prefixes: ['sm_aat_', 'sm_pat_', 'sm_sat_'], characters: 'letters', least: 16 },
  { source: RULES, prefixes: ['rdme_'], characters: 'letters', least: 70 },
  { source: RULES, prefixes: ['p8e-'], characters: 'letters', least: 32 },
  { source: RULES, prefixes: ['s-s4t2ud-', 's-s4t2af-'], characters: 'hex', least: 64 },
  { source: RULES, prefixes: ['fio-u-'], characters: 'base64', least: 64 },
  { source: RULES, prefixes: ['eyJrIjoi'], characters: 'base64', least: 70 },
  { source: RULES, prefixes: ['api_org_'], characters: 'letters', least: 34 },
  { source: RULES, prefixes: ['pplx-'], characters: 'letters', least: 48 },
]

const prefixes = secretFormats.flatMap((format) =>
  format.prefixes.map((prefix) => ({ prefix, format })),
)
const matcher = new Matcher(prefixes.map(({ prefix }) => prefix))
const wordCharacter = /[A-Za-z0-9_]/

/** Secrets of a documented form. Each character is read a bounded number of times. */
export function secretsIn(text: string): Span[] {
  const found: Span[] = []
  const find = matcher.finder(text)
  for (let at = 0; ;) {
    const match = find(at)
    const format = match && prefixes[match.index]?.format
    if (!match || !format) return found
    const from = startOf(text, match, format, found.at(-1)?.to ?? 0)
    const end = from === null ? null : endOf(text, match, format)
    if (from === null || end === null) at = match.from + 1
    else {
      found.push({ from, to: end })
      at = end
    }
  }
}

/** Where the secret starts, at `least`; null: what precedes the prefix is not what has to. */
function startOf(
  text: string,
  { from }: Span,
  { characters, before = 0 }: SecretFormat,
  least: number,
) {
  const start = from - before
  if (start < least || wordCharacter.test(text.charAt(start - 1))) return null
  for (let at = start; at < from; at += 1) {
    if (!alphabets[characters].test(text.charAt(at))) return null
  }
  return start
}

function endOf(text: string, { to }: Span, { characters, least, exactly }: SecretFormat) {
  const allowed = alphabets[characters]
  let end = to
  while (end < text.length && allowed.test(text.charAt(end))) {
    end += 1
    if (exactly && end - to > least) return null
  }
  return end - to < least ? null : end
}

const begin = '-----BEGIN '
const label = /^[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/
/** What may stand in a key: Base64, line breaks also as they are escaped, headers of older keys. */
const keyText = /[A-Za-z0-9+/=\s\\:,.-]/

/** Private keys as PEM (RFC 7468) or in the armour of OpenPGP (RFC 9580), whole or cut off, without their first line. */
export function privateKeysIn(text: string): Span[] {
  const found: Span[] = []
  /** The last line that was found; -1: there is none any more. */
  let last = 0
  for (let at = text.indexOf(begin); at !== -1;) {
    const first = at + begin.length
    const head = label.exec(text.slice(first, first + 70))?.[0]
    let end = first
    if (head !== undefined) {
      const from = first + head.length
      if (last !== -1 && last < from) last = text.indexOf('-----END', from)
      end = last === -1 ? from : last
      if (last === -1) {
        while (end < text.length && keyText.test(text.charAt(end))) end += 1
      }
      if (end > from) found.push({ from, to: end })
    }
    at = text.indexOf(begin, end)
  }
  return found
}
