/** Tells Prisma's command line where the schema and the migrations are. The service does not read this file. */
export default {
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
}
