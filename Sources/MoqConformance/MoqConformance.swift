// The MoqConformance room.
