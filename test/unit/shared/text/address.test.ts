import { expect, test } from 'vitest'
import { hasCredentials } from '#shared/text/address.ts'

test.each([
  'https://ann:hunter2@host/path',
  'https://ann@host',
  'HTTP:ann:hunter2@host',
  'http:\\\\ann:hunter2@host',
  'ht\ntp:///ann:hun\tter2@host',
  ' ann:hunter2@host/x',
  '\x01 https://ann:hunter2@host',
  'nats://ann:hunter2@host:4222',
  'nats://ann:hunter\\2@host:4222',
  'wss:/ann:hunter2@host',
  'https://:hunter2@host',
])('%j has a user name or password', (url) => expect(hasCredentials(url)).toBe(true))

test.each([
  'https://host/@ann?to=a@b#a@b',
  'localhost:3000/hooks',
  'com.example.app:/callback@x',
  'https://[::1]:80/a@b',
  '',
])('%j has none', (url) => expect(hasCredentials(url)).toBe(false))
