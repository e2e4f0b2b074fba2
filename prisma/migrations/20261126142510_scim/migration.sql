-- CreateTable
CREATE TABLE "scim_users" (
    "team_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "user_name" TEXT NOT NULL,
    "external_id" TEXT,
    "attributes" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scim_users_pkey" PRIMARY KEY ("team_id","user_id")
);

-- CreateTable
CREATE TABLE "scim_groups" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "team_id" UUID NOT NULL,
    "display_name" TEXT NOT NULL,
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scim_groups_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scim_group_members" (
    "group_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "scim_group_members_pkey" PRIMARY KEY ("group_id","user_id")
);

-- CreateIndex
CREATE INDEX "scim_users_user_id_idx" ON "scim_users"("user_id");

-- CreateIndex
CREATE INDEX "scim_groups_team_id_idx" ON "scim_groups"("team_id");

-- CreateIndex
CREATE INDEX "scim_group_members_team_id_user_id_idx" ON "scim_group_members"("team_id", "user_id");

-- AddForeignKey
ALTER TABLE "scim_users" ADD CONSTRAINT "scim_users_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_users" ADD CONSTRAINT "scim_users_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_groups" ADD CONSTRAINT "scim_groups_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_group_members" ADD CONSTRAINT "scim_group_members_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "scim_groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_group_members" ADD CONSTRAINT "scim_group_members_team_id_user_id_fkey" FOREIGN KEY ("team_id", "user_id") REFERENCES "scim_users"("team_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Names that differ only in upper and lower case are one name (RFC 7643 §2.2).
CREATE UNIQUE INDEX "scim_users_team_id_user_name_key" ON "scim_users" ("team_id", lower("user_name"));
CREATE UNIQUE INDEX "scim_groups_team_id_display_name_key" ON "scim_groups" ("team_id", lower("display_name"));
