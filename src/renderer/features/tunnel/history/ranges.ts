const hour = 3_600_000

export const ranges = [
  { value: '1h', label: '1 h', words: 'the last hour', ms: hour },
  { value: '24h', label: '24 h', words: 'the last 24 hours', ms: 24 * hour },
  { value: '7d', label: '7 d', words: 'the last 7 days', ms: 7 * 24 * hour },
] as const
