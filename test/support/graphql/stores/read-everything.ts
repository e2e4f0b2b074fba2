import type { Principal } from '../../../../schema/core/principals.ts'
import { publicSchema } from '../../../../schema/public-schema.ts'
import { executeAs } from '../../service/in-process.ts'
import type { TestService } from '../../service/service.ts'
import { printed, selectAll } from './select-all.ts'
import type { Received } from './select-all.ts'

/** Reads what a caller can reach without an argument: a query for each field of `Query`. */
export function readEverything(service: TestService, principal: Principal): Promise<Received[]> {
  const query = publicSchema().getQueryType()
  if (!query) throw new Error('the schema has no queries')
  const roots = selectAll(query).filter((field) => field.fields)
  return Promise.all(roots.map(async (field) => ({ fields: [field], data: (await executeAs(service, principal, printed([field]))).data })))
}
