import type { LogEndpoint, LogHead, LogIntegration } from '#contract/event-log.ts'
import type { DeliveryItem, ExportedAttempt, LogItem } from '#engine/event-logs/items.ts'
import { head, itemOf } from './log-page.ts'
import { sampleAttempt } from './event-log/sample-item.ts'
import { sampleRehearsal } from './event-log/sample-rehearsal.ts'
import { sampleDelivery } from './sample-delivery.ts'

/** Text that would be executed in a page that inserts it as HTML, script, CSS or URL. `name`: its location. */
export function hostile(name: string): string {
  return [
    `${name} </script><script>window.canary='${name}'</script>`,
    `<!--<script>window.canary='${name}'`,
    `--><img src=x onerror="window.canary='${name}'">`,
    `]]>\u2028\u2029</style></title></noscript><svg onload="window.canary='${name}'">`,
    `"'\`\${window.canary='${name}'}`,
    `</textarea><iframe srcdoc="<script>parent.canary='${name}'</script>">\u0000\uD800`,
  ].join('')
}

export function hostileAddress(name: string): string {
  return `javascript:window.canary='${name}'//"><script>window.canary='${name}'</script>`
}

export const hostileHead: Partial<LogHead> = {
  app: hostile('app'),
  scope: { ...head.scope, filter: hostile('filter') },
  redaction: { on: true, list: 1, kept: [hostile('kept')], masked: [], note: hostile('redaction') },
}

const attempt = (): ExportedAttempt =>
  sampleAttempt(
    1,
    {
      method: hostile('attempt-method'),
      url: hostileAddress('attempt-url'),
      status: 500,
      edited: true,
      bodyEdited: true,
      signing: 'signed',
      secretName: hostile('attempt-secret'),
      request: {
        target: hostile('attempt-target'),
        headers: [[hostile('attempt-header'), hostile('attempt-value')]],
        trailers: [],
        sha256: 'a'.repeat(64),
      },
      response: {
        status: 500,
        statusText: hostile('status-text'),
        httpVersion: '1.1',
        headers: [['Location', hostileAddress('answer-location')]],
        storedBytes: 10,
      },
      timings: null,
      remoteAddress: hostile('attempt-remote'),
      notes: [hostile('attempt-note')],
    },
    {
      requestBody: Buffer.from(hostile('attempt-body')),
      answerBody: Buffer.from(hostile('answer-body')),
    },
  )

function delivery(): DeliveryItem {
  const sample = sampleDelivery('ORDER_PLACED')
  const data = {
    ...Object.fromEntries(
      ['orderName', 'handle', 'spotName'].map((key) => [key, hostile(`data-${key}`)]),
    ),
    items: [{ name: hostile('item'), price: 1, quantity: 2 }],
    [hostile('data-key')]: { [hostile('inner-key')]: [hostile('element')] },
    link: hostileAddress('link'),
    total: 12.5,
  }
  const payload = {
    type: 'ORDER_PLACED',
    targetUuid: hostile('body-target'),
    locationName: hostile('body-location'),
    locationId: hostile('body-location-id'),
    createdAt: '2026-03-14T21:09:00.000Z',
    data,
  }
  const sent = { ...sample, body: Buffer.from(JSON.stringify(payload)) }
  return itemOf(
    sent,
    1,
    {
      method: hostile('method'),
      path: hostile('path'),
      type: hostile('type'),
      title: hostile('title'),
      target: hostile('target'),
      locationName: hostile('location'),
      endpointName: hostile('endpoint'),
      secretName: hostile('secret'),
      brand: hostile('brand'),
      httpVersion: hostile('version'),
      remoteAddress: hostile('remote'),
      reason: hostile('reason'),
      sha256: 'b'.repeat(64),
      note: hostile('note'),
      tags: [hostile('tag'), hostileAddress('tag')],
      verdict: 'invalid',
      headers: [
        ['Content-Type', 'application/json'],
        [hostile('header-name'), hostile('header-value')],
        ['X-Forwarded-For', hostile('forwarded')],
        ['Location', hostileAddress('header-address')],
        ['X-Service-Signature', hostile('signature')],
      ],
      trailers: [[hostile('trailer-name'), hostile('trailer-value')]],
      findings: [
        {
          code: hostile('finding-code'),
          severity: 'error',
          location: hostile('finding-place'),
          message: hostile('finding-message'),
          expected: hostile('finding-expected'),
          actual: hostile('finding-actual'),
        },
      ],
      lastAttempt: { status: 500 },
      notForwarded: [hostile('not-forwarded')],
    },
    { attempts: [attempt()] },
  )
}

/** A log with such a delivery, one with an unsupported body, and other hostile data. */
export function* hostileItems(): Generator<LogItem> {
  const integration: LogIntegration = {
    kind: 'integration',
    id: 1,
    name: hostile('integration'),
    brand: hostile('integration-brand'),
    baseUrl: hostileAddress('base'),
    sandbox: false,
  }
  const endpoint: LogEndpoint = {
    kind: 'endpoint',
    id: 1,
    integrationId: 1,
    name: hostile('endpoint-name'),
    slug: hostile('slug'),
    applicationId: hostile('application'),
    customHeaders: [[hostile('custom-name'), hostile('custom-value')]],
  }
  yield integration
  yield endpoint
  yield* sampleRehearsal(hostile('rehearsal'))
  yield delivery()
  yield itemOf(sampleDelivery('ORDER_PLACED', { body: () => hostile('whole-body') }), 2)
}
