-- The pictures of users and the logos of teams. Lists read only the column of the user or team, so that they join nothing.
ALTER TABLE "users" ADD COLUMN "picture_id" TEXT;
ALTER TABLE "teams" ADD COLUMN "logo_id" TEXT;

CREATE TABLE "pictures" (
    "id" TEXT NOT NULL,
    "user_id" UUID,
    "team_id" UUID,
    "large" BYTEA NOT NULL,
    "small" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "pictures_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "pictures_one_owner" CHECK (num_nonnulls("user_id", "team_id") = 1)
);
CREATE UNIQUE INDEX "pictures_user_id_key" ON "pictures"("user_id");
CREATE UNIQUE INDEX "pictures_team_id_key" ON "pictures"("team_id");
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;
