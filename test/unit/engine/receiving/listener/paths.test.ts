import { expect, it } from 'vitest'
import { EndpointPaths } from '#engine/receiving/listener/paths.ts'

const routes = ['orders', 'Bar-2', 'café'].map((slug, index) => ({
  id: index + 1,
  name: slug,
  path: `/hooks/${slug}`,
  brand: 'Service',
  applicationId: '',
  customHeaders: [],
  secrets: [],
  responses: [],
  forwards: [],
}))
const paths = new EndpointPaths(routes)

it.each([
  '/hooks/orders',
  '/hooks/orders?a=/',
  'http://a.test/hooks/orders',
  'HTTPS://a/hooks/orders?b',
])('finds the endpoint of %s', (target) => {
  expect(paths.endpointOf(target)?.name).toBe('orders')
  expect(paths.nearPath(target)).toBeNull()
})

it.each([
  ['/hooks/orders/', 'orders'],
  ['/hooks/orders/?a=1', 'orders'],
  ['/hooks/Orders', 'orders'],
  ['/HOOKS/orders', 'orders'],
  ['/hooks/bar-2', 'Bar-2'],
  ['//hooks/orders', 'orders'],
  ['/hooks//orders', 'orders'],
  ['/./hooks/orders', 'orders'],
  ['/hooks/%6frders', 'orders'],
  ['/hooks%2Forders', 'orders'],
  ['/hooks%252Forders', 'orders'],
  ['/hooks/orders%20', 'orders'],
  ['/hooks/caf%C3%A9', 'café'],
  ['\\hooks\\orders', 'orders'],
  ['/api/hooks/orders', 'orders'],
  ['/hooks/hooks/orders', 'orders'],
  ['/hooks/orders/events', 'orders'],
  ['/orders', 'orders'],
  ['/webhooks/orders', 'orders'],
  ['http://a.test/hooks/orders/', 'orders'],
])('%s is no endpoint, and nearly one', (target, slug) => {
  expect(paths.endpointOf(target)).toBeNull()
  expect(paths.nearPath(target)).toBe(`/hooks/${slug}`)
})

it.each([
  '/',
  '*',
  '',
  '/hooks',
  '/hooks/',
  '/hooks/other',
  '/hooks/order',
  '/%',
  `/${'a/'.repeat(300)}orders`,
])('%s is not nearly an endpoint', (target) => {
  expect(paths.nearPath(target)).toBeNull()
})
