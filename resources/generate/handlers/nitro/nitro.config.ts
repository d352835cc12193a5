import { defineNitroConfig } from 'nitropack/config'

export default defineNitroConfig({ compatibilityDate: '2025-07-01', srcDir: 'server' })
