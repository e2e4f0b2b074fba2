import { oauthRequests } from './oauth.ts'
import type { BenchRequest } from './request.ts'
import { apiRequests } from './rest.ts'

/** Every request that is compared, in the order of the tables. */
export const allRequests: readonly BenchRequest[] = [...apiRequests, ...oauthRequests]
