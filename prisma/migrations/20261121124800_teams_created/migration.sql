-- What schema.prisma cannot say: how many teams a person created lately is counted each time they create one.

CREATE INDEX "audit_entries_teams_created" ON "audit_entries"("actor_user_id", "at") WHERE "action" = 'createTeam';
