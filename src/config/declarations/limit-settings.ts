import { wholeNumberSetting } from './setting-types.ts'

const limit = wholeNumberSetting(0, 1_000_000)

/** Settings for rate limits: of requests, and of attempts to guess a secret. */
export const limitSettings = {
  rateLimitApi: limit('RATE_LIMIT_API', 1200, 'API requests per credential and minute; 0 for no limit.'),
  rateLimitSignInAccount: limit(
    'RATE_LIMIT_SIGN_IN_ACCOUNT',
    10,
    'Wrong passwords and emailed codes, and wrong codes of two-factor authentication, per account in 15 minutes; 0 for no limit.',
  ),
  rateLimitSignInAddress: limit(
    'RATE_LIMIT_SIGN_IN_ADDRESS',
    100,
    'Wrong passwords, emailed codes and codes of two-factor authentication per address in 15 minutes; 0 for no limit.',
  ),
  rateLimitSignUp: limit(
    'RATE_LIMIT_SIGN_UP',
    50,
    'Sign-ups, and requests of password resets and emailed codes, per address in 15 minutes; 0 for no limit.',
  ),
  rateLimitClientSecret: limit('RATE_LIMIT_CLIENT_SECRET', 20, 'Wrong client secrets per client and address in a minute; 0 for no limit.'),
  rateLimitUserCode: limit('RATE_LIMIT_USER_CODE', 10, 'Wrong device codes per session and per address in 10 minutes; 0 for no limit.'),
  rateLimitAuthorization: limit(
    'RATE_LIMIT_AUTHORIZATION',
    100,
    'Pending authorization requests per address; likewise sessions without a user, device codes, pushed requests and, in an hour, new clients by URL. 0 for no limit.',
  ),
  rateLimitInvitations: limit(
    'RATE_LIMIT_INVITATIONS',
    100,
    'Invitation emails that a person can send in a day, over all teams; 0 for no limit.',
  ),
  rateLimitLink: limit('RATE_LIMIT_LINK', 20, 'Wrong email links per address in 10 minutes; 0 for no limit.'),
}
