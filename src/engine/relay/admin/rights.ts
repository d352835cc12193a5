import { deliverySubject, heartbeatSubject, noEndpoint, streams } from '../format.ts'

/** What a user of the server may publish to and subscribe to. Everything else is refused. */
export interface Rights {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
}

/** Writes its endpoints, and reads nothing. */
export function receiverRights(name: string, slugs: readonly string[]): Rights {
  const all = [...slugs, noEndpoint]
  return {
    publish: [
      ...all.map((slug) => deliverySubject(slug)),
      ...all.map((slug) => `parts.${slug}.>`),
      heartbeatSubject(name),
    ],
    subscribe: [inboxOf(name)],
  }
}

/** Reads `slugs` (`*`: all), each with a consumer whose filter is that subject alone, and large bodies of the same. Writes nothing. */
export function desktopRights(user: string, slugs: readonly string[]): Rights {
  const { deliveries, bodies } = streams
  return {
    publish: [
      `$JS.API.STREAM.INFO.${deliveries}`,
      // The server compares the end of the subject with the filter of the consumer.
      ...slugs.map((slug) => `$JS.API.CONSUMER.CREATE.${deliveries}.*.${deliverySubject(slug)}`),
      ...(slugs.includes('*') ? ['parts.>'] : slugs.map((slug) => `parts.${slug}.>`)).map(
        (subject) => `$JS.API.DIRECT.GET.${bodies}.${subject}`,
      ),
      `$JS.FC.${deliveries}.>`,
    ],
    subscribe: [inboxOf(user), heartbeatSubject('*')],
  }
}

function inboxOf(name: string): string {
  return `_INBOX_${name}.>`
}
