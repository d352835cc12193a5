import { TunnelFailure } from '../provider.ts'

/** What a line of ngrok's says went wrong, by its code (https://ngrok.com/docs/errors) or its words; null: nothing that is known. */
export function ngrokFailure(words: string, quote: (text: string) => string): TunnelFailure | null {
  const code = /\bERR_NGROK_(\d+)/.exec(words)
  if (code) return byCode(code[0], Number(code[1]), quote(words))
  const said = `It said: "${quote(words)}".`
  if (/no such host|has no records|server misbehaving/i.test(words)) {
    return new TunnelFailure(
      'server_unresolved',
      `ngrok cannot find its server. Look at the connection to the internet. ${said}`,
    )
  }
  if (/^failed to (reconnect session|dial)/i.test(words)) {
    return new TunnelFailure(
      'server_down',
      `ngrok cannot reach its server. Look at the connection to the internet. ${said}`,
    )
  }
  if (/configuration file|unknown (flag|command)|unmarshal|yaml/i.test(words)) {
    return new TunnelFailure(
      'program_failed',
      `ngrok does not take its configuration, or what it is started with. Run "ngrok config check", and update it. ${said}`,
      { retry: false },
    )
  }
  return null
}

function byCode(code: string, number: number, said: string): TunnelFailure {
  switch (number) {
    case 105:
    case 106:
    case 107:
    case 4018:
      return new TunnelFailure(
        'server_refused',
        `ngrok has no authtoken, or one that is not accepted (${code}). Run "ngrok config add-authtoken" with the one from your account at ngrok.com, then open the tunnel again.`,
        { retry: false },
      )
    case 108:
      return new TunnelFailure(
        'server_refused',
        `Your ngrok account allows no further agent (${code}). End one that runs elsewhere; it is tried again meanwhile.`,
      )
    case 334:
      return new TunnelFailure(
        'server_refused',
        `The address is in use by another ngrok of your account (${code}). End that one; it is tried again meanwhile.`,
      )
    case 120:
    case 121:
      return new TunnelFailure(
        'program_failed',
        `This ngrok is too old for its server (${code}). Run "ngrok update", then open the tunnel again.`,
        { retry: false },
      )
    default:
      return new TunnelFailure(
        'server_refused',
        `ngrok was refused (${code}). It said: "${said}".`,
        {
          // Of names and domains, as far as they are documented: another one is to be chosen.
          retry: number < 300 || number >= 400,
        },
      )
  }
}
