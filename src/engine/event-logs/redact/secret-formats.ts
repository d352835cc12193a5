import { Matcher } from '../../platform/masking/matcher.ts'
import type { Span } from './contacts.ts'

interface SecretFormat {
  /** Where the issuer documents the format. */
  readonly source: string
  readonly prefixes: readonly string[]
  /** After the prefix. */
  readonly characters: keyof typeof alphabets
  readonly minLength: number
  /** The prefix is too common for a longer match. */
  readonly exactLength?: true
  /** Number of characters that precede the prefix. */
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

/** Compared at commit b58d3f10. Rules whose prefix also starts words or digests are left out (1Password, Airtable, ClickHouse). */
const RULES = 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'

/** A prefix and an alphabet take linear time on any input; `src/DECISIONS.md` explains why Tabscope has its own list. */
export const secretFormats: readonly SecretFormat[] = [
  // Clouds.
  {
    source:
      'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids',
    prefixes: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    characters: 'upper',
    minLength: 16,
    exactLength: true,
  },
  {
    source:
      'https://learn.microsoft.com/en-us/entra/identity-platform/quickstart-register-app#add-a-client-secret',
    prefixes: ['Q~'],
    characters: 'tilde',
    minLength: 31,
    before: 4,
  },
  {
    source: 'https://cloud.google.com/docs/authentication/api-keys',
    prefixes: ['AIza'],
    characters: 'url',
    minLength: 35,
  },
  {
    source: 'https://cloud.google.com/docs/authentication/token-types',
    prefixes: ['ya29.', 'GOCSPX-', '1//0'],
    characters: 'dotted',
    minLength: 20,
  },
  {
    source: 'https://docs.digitalocean.com/reference/api/create-personal-access-token/',
    prefixes: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    characters: 'hex',
    minLength: 64,
  },
  {
    source: 'https://devcenter.heroku.com/articles/authentication',
    prefixes: ['HRKU-'],
    characters: 'url',
    minLength: 36,
  },
  {
    source: 'https://developer.hashicorp.com/vault/docs/concepts/tokens#token-prefixes',
    prefixes: ['hvs.', 'hvb.', 'hvr.'],
    characters: 'url',
    minLength: 24,
  },
  {
    source: 'https://docs.databricks.com/aws/en/dev-tools/auth/pat',
    prefixes: ['dapi'],
    characters: 'hex',
    minLength: 32,
  },
  {
    source: 'https://supabase.com/docs/guides/api/api-keys',
    prefixes: ['sbp_', 'sb_secret_'],
    characters: 'url',
    minLength: 20,
  },
  {
    source: 'https://planetscale.com/docs/api/reference/service-tokens',
    prefixes: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    characters: 'dotted',
    minLength: 32,
  },
  // Payment.
  {
    source: 'https://docs.stripe.com/keys',
    prefixes: ['sk_live_', 'sk_test_', 'sk_prod_', 'rk_live_', 'rk_test_', 'rk_prod_', 'whsec_'],
    characters: 'base64',
    minLength: 16,
  },
  {
    source: 'https://developer.squareup.com/docs/build-basics/access-tokens',
    prefixes: ['sq0atp-', 'sq0csp-', 'EAAA'],
    characters: 'url',
    minLength: 22,
  },
  {
    source: 'https://developer.paypal.com/braintree/docs/guides/authorization/access-token',
    prefixes: ['access_token$production$', 'access_token$sandbox$'],
    characters: 'dollar',
    minLength: 32,
  },
  {
    source: 'https://docs.mollie.com/reference/authentication',
    prefixes: ['live_', 'test_', 'access_'],
    characters: 'letters',
    minLength: 30,
  },
  {
    source: 'https://docs.sumup.com/api/authentication',
    prefixes: ['sup_sk_'],
    characters: 'letters',
    minLength: 20,
  },
  {
    source: 'https://razorpay.com/docs/api/authentication/',
    prefixes: ['rzp_live_', 'rzp_test_'],
    characters: 'letters',
    minLength: 14,
  },
  {
    source: 'https://developer.flutterwave.com/docs/authentication',
    prefixes: ['FLWSECK-', 'FLWSECK_TEST-'],
    characters: 'url',
    minLength: 12,
  },
  {
    source: 'https://plaid.com/docs/api/items/',
    prefixes: ['access-production-', 'access-sandbox-', 'access-development-'],
    characters: 'url',
    minLength: 32,
  },
  {
    source: 'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens',
    prefixes: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shpua_'],
    characters: 'letters',
    minLength: 32,
  },
  // Source hosting and packages.
  {
    source:
      'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats',
    prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    characters: 'word',
    minLength: 22,
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
    minLength: 20,
  },
  {
    source: 'https://support.atlassian.com/bitbucket-cloud/docs/api-tokens/',
    prefixes: ['ATATT3', 'ATCTT3', 'ATBB'],
    characters: 'base64',
    minLength: 28,
  },
  {
    source: 'https://docs.npmjs.com/about-access-tokens',
    prefixes: ['npm_'],
    characters: 'letters',
    minLength: 36,
  },
  {
    source: 'https://pypi.org/help/#apitoken',
    prefixes: ['pypi-'],
    characters: 'url',
    minLength: 50,
  },
  {
    source: 'https://guides.rubygems.org/api-key-scopes/',
    prefixes: ['rubygems_'],
    characters: 'hex',
    minLength: 48,
  },
  {
    source: 'https://docs.docker.com/security/access-tokens/',
    prefixes: ['dckr_pat_', 'dckr_oat_'],
    characters: 'url',
    minLength: 20,
  },
  // Chat and mail.
  {
    source: 'https://docs.slack.dev/authentication/tokens',
    prefixes: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxo-', 'xoxe.', 'xoxe-', 'xapp-'],
    characters: 'dotted',
    minLength: 20,
  },
  {
    source: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
    prefixes: [
      'hooks.slack.com/services/',
      'hooks.slack.com/triggers/',
      'hooks.slack.com/workflows/',
    ],
    characters: 'path',
    minLength: 20,
  },
  {
    source:
      'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
    prefixes: ['webhook.office.com/webhookb2/'],
    characters: 'path',
    minLength: 36,
  },
  {
    source: 'https://discord.com/developers/docs/resources/webhook',
    prefixes: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    characters: 'path',
    minLength: 20,
  },
  {
    source: 'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys',
    prefixes: ['SG.'],
    characters: 'dotted',
    minLength: 60,
  },
  {
    source: 'https://documentation.mailgun.com/docs/mailgun/api-reference/mg-auth',
    prefixes: ['key-'],
    characters: 'hex',
    minLength: 32,
    exactLength: true,
  },
  {
    source: 'https://developers.brevo.com/docs/getting-started',
    prefixes: ['xkeysib-', 'xsmtpsib-'],
    characters: 'url',
    minLength: 64,
  },
  // Tools.
  {
    source: 'https://platform.openai.com/docs/api-reference/authentication',
    prefixes: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-'],
    characters: 'url',
    minLength: 32,
  },
  {
    source: 'https://docs.anthropic.com/en/api/overview',
    prefixes: ['sk-ant-'],
    characters: 'url',
    minLength: 32,
  },
  {
    source: 'https://huggingface.co/docs/hub/security-tokens',
    prefixes: ['hf_'],
    characters: 'letters',
    minLength: 30,
  },
  {
    source: 'https://developers.notion.com/reference/authentication',
    prefixes: ['ntn_', 'secret_'],
    characters: 'letters',
    minLength: 43,
  },
  {
    source: 'https://linear.app/developers/graphql',
    prefixes: ['lin_api_', 'lin_oauth_'],
    characters: 'word',
    minLength: 32,
  },
  {
    source: 'https://developers.figma.com/docs/rest-api/personal-access-tokens/',
    prefixes: ['figd_'],
    characters: 'url',
    minLength: 40,
  },
  {
    source: 'https://grafana.com/docs/grafana/latest/administration/service-accounts/',
    prefixes: ['glsa_', 'glc_'],
    characters: 'base64',
    minLength: 32,
  },
  {
    source: 'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/',
    prefixes: ['NRAK-', 'NRAA-'],
    characters: 'letters',
    minLength: 27,
  },
  {
    source: 'https://docs.sentry.io/account/auth-tokens/',
    prefixes: ['sntrys_', 'sntryu_', 'sntrya_'],
    characters: 'base64',
    minLength: 40,
  },
  {
    source: 'https://learning.postman.com/docs/developer/postman-api/authentication/',
    prefixes: ['PMAK-'],
    characters: 'url',
    minLength: 50,
  },
  {
    source: 'https://developer.1password.com/docs/service-accounts/security/',
    prefixes: ['ops_ey'],
    characters: 'base64',
    minLength: 50,
  },
  {
    source: 'https://vercel.com/docs/rest-api#authentication',
    prefixes: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
    characters: 'letters',
    minLength: 20,
  },
  {
    source: 'https://github.com/FiloSottile/age',
    prefixes: ['AGE-SECRET-KEY-1'],
    characters: 'upper',
    minLength: 58,
  },
  // Payment and shipping.
  { source: RULES, prefixes: ['EZAK', 'EZTK'], characters: 'letters', minLength: 54 },
  { source: RULES, prefixes: ['shippo_live_', 'shippo_test_'], characters: 'hex', minLength: 40 },
  {
    source: RULES,
    prefixes: ['duffel_live_', 'duffel_test_'],
    characters: 'base64',
    minLength: 43,
  },
  // Clouds and platforms.
  { source: RULES, prefixes: ['LTAI'], characters: 'letters', minLength: 20 },
  { source: RULES, prefixes: ['ABSK'], characters: 'base64', minLength: 109 },
  { source: RULES, prefixes: ['bedrock-api-key-'], characters: 'base64', minLength: 20 },
  { source: RULES, prefixes: ['v1.0-'], characters: 'url', minLength: 171 },
  { source: RULES, prefixes: ['fo1_'], characters: 'url', minLength: 43 },
  { source: RULES, prefixes: ['fm1a_', 'fm1r_', 'fm2_'], characters: 'base64', minLength: 100 },
  { source: RULES, prefixes: ['atlasv1.'], characters: 'base64', minLength: 60 },
  { source: RULES, prefixes: ['sha256~'], characters: 'url', minLength: 43 },
  { source: RULES, prefixes: ['tk-us-'], characters: 'url', minLength: 48 },
  { source: RULES, prefixes: ['dt0c01.'], characters: 'dotted', minLength: 89 },
  // Messaging.
  { source: RULES, prefixes: ['EAAM', 'EAAC'], characters: 'letters', minLength: 100 },
  { source: RULES, prefixes: ['SK'], characters: 'hex', minLength: 32, exactLength: true },
  // Source hosting, packages and delivery.
  { source: RULES, prefixes: ['GR1348941'], characters: 'url', minLength: 20 },
  { source: RULES, prefixes: ['AKCp'], characters: 'letters', minLength: 69 },
  { source: RULES, prefixes: ['cmVmd'], characters: 'letters', minLength: 59 },
  { source: RULES, prefixes: ['CLOJARS_'], characters: 'letters', minLength: 60 },
  { source: RULES, prefixes: ['dp.pt.'], characters: 'letters', minLength: 43 },
  { source: RULES, prefixes: ['pul-'], characters: 'hex', minLength: 40 },
  { source: RULES, prefixes: ['pnu_'], characters: 'letters', minLength: 36 },
  { source: RULES, prefixes: ['sgp_'], characters: 'word', minLength: 40 },
  { source: RULES, prefixes: ['API-'], characters: 'upper', minLength: 26, exactLength: true },
  { source: RULES, prefixes: ['pat.', 'sat.'], characters: 'dotted', minLength: 68 },
  { source: RULES, prefixes: ['ico-'], characters: 'letters', minLength: 32 },
  {
    source: RULES,
    prefixes: ['sm_aat_', 'sm_pat_', 'sm_sat_'],
    characters: 'letters',
    minLength: 16,
  },
  { source: RULES, prefixes: ['rdme_'], characters: 'letters', minLength: 70 },
  { source: RULES, prefixes: ['p8e-'], characters: 'letters', minLength: 32 },
  { source: RULES, prefixes: ['s-s4t2ud-', 's-s4t2af-'], characters: 'hex', minLength: 64 },
  { source: RULES, prefixes: ['fio-u-'], characters: 'base64', minLength: 64 },
  { source: RULES, prefixes: ['eyJrIjoi'], characters: 'base64', minLength: 70 },
  { source: RULES, prefixes: ['api_org_'], characters: 'letters', minLength: 34 },
  { source: RULES, prefixes: ['pplx-'], characters: 'letters', minLength: 48 },
]

const prefixes = secretFormats.flatMap((format) =>
  format.prefixes.map((prefix) => ({ prefix, format })),
)
const matcher = new Matcher(prefixes.map(({ prefix }) => prefix))
const wordCharacter = /[A-Za-z0-9_]/

/** Reads each character a limited number of times. */
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

/** At `lowest` or later. Null: the characters before the prefix do not match. */
function startOf(
  text: string,
  { from }: Span,
  { characters, before = 0 }: SecretFormat,
  lowest: number,
) {
  const start = from - before
  if (start < lowest || wordCharacter.test(text.charAt(start - 1))) return null
  for (let at = start; at < from; at += 1) {
    if (!alphabets[characters].test(text.charAt(at))) return null
  }
  return start
}

function endOf(text: string, { to }: Span, { characters, minLength, exactLength }: SecretFormat) {
  const allowed = alphabets[characters]
  let end = to
  while (end < text.length && allowed.test(text.charAt(end))) {
    end += 1
    if (exactLength && end - to > minLength) return null
  }
  return end - to < minLength ? null : end
}

const beginMarker = '-----BEGIN '
const keyLabel = /^[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/
/** Base64, line breaks (also escaped), headers of older keys. */
const keyCharacter = /[A-Za-z0-9+/=\s\\:,.-]/

/** PEM (RFC 7468) or OpenPGP armor (RFC 9580), complete or truncated. The ranges exclude the first line. */
export function privateKeysIn(text: string): Span[] {
  const found: Span[] = []
  /** -1: there are no more end markers. */
  let nextEnd = 0
  for (let at = text.indexOf(beginMarker); at !== -1;) {
    const first = at + beginMarker.length
    const head = keyLabel.exec(text.slice(first, first + 70))?.[0]
    let end = first
    if (head !== undefined) {
      const from = first + head.length
      if (nextEnd !== -1 && nextEnd < from) nextEnd = text.indexOf('-----END', from)
      end = nextEnd === -1 ? from : nextEnd
      if (nextEnd === -1) {
        while (end < text.length && keyCharacter.test(text.charAt(end))) end += 1
      }
      if (end > from) found.push({ from, to: end })
    }
    at = text.indexOf(beginMarker, end)
  }
  return found
}
