import { metadata } from './setting-metadata.ts'
import { integer } from './setting-types.ts'

const limit = integer(0, 1_000_000)

/** The rows of the settings about limits: of requests, and of attempts to guess a secret. */
export const limitSettings = {
  rateLimitApi: limit
    .prefault('1200')
    .register(metadata, { variable: 'RATE_LIMIT_API', description: 'API requests per credential and minute; 0 for no limit.' }),
  rateLimitSignInAccount: limit.prefault('10').register(metadata, {
    variable: 'RATE_LIMIT_SIGN_IN_ACCOUNT',
    description: 'Wrong passwords, and wrong codes of two-factor authentication, per account in 15 minutes; 0 for no limit.',
  }),
  rateLimitSignInAddress: limit.prefault('100').register(metadata, {
    variable: 'RATE_LIMIT_SIGN_IN_ADDRESS',
    description: 'Wrong passwords and codes of two-factor authentication per address in 15 minutes; 0 for no limit.',
  }),
  rateLimitSignUp: limit.prefault('50').register(metadata, {
    variable: 'RATE_LIMIT_SIGN_UP',
    description: 'Sign-ups and password reset requests per address in 15 minutes; 0 for no limit.',
  }),
  rateLimitClientSecret: limit.prefault('20').register(metadata, {
    variable: 'RATE_LIMIT_CLIENT_SECRET',
    description: 'Wrong client secrets per client and address in a minute; 0 for no limit.',
  }),
  rateLimitUserCode: limit.prefault('10').register(metadata, {
    variable: 'RATE_LIMIT_USER_CODE',
    description: 'Wrong device codes per session and per address in 10 minutes; 0 for no limit.',
  }),
  rateLimitAuthorization: limit.prefault('100').register(metadata, {
    variable: 'RATE_LIMIT_AUTHORIZATION',
    description:
      'Pending authorization requests per address; likewise sessions without a user, device codes and pushed requests. 0 for no limit.',
  }),
  rateLimitLink: limit.prefault('20').register(metadata, {
    variable: 'RATE_LIMIT_LINK',
    description: 'Wrong mail links per address in 10 minutes; 0 for no limit.',
  }),
}
