"""A model with what programs write with Pydantic: each SDK asks for it and gets one back."""

from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, List, Literal, Optional, Tuple, Union
from uuid import UUID

from pydantic import BaseModel, Field


class Status(Enum):
    OPEN = "open"
    CLOSED = "closed"


class Address(BaseModel):
    city: Annotated[str, Field(min_length=1)]
    zip_code: Annotated[str, Field(pattern=r"^\d{5}(-\d{4})?$")]


class Parcel(BaseModel):
    kind: Literal["parcel"]
    weight: Annotated[float, Field(gt=0, lt=50)]


class Letter(BaseModel):
    kind: Literal["letter"]
    stamps: Annotated[int, Field(ge=1, multiple_of=2)]


class Comment(BaseModel):
    text: str
    answers: List["Comment"]
    quoted: Optional["Comment"]


class Ticket(BaseModel):
    only: Literal["only"]
    status: Status
    address: Address
    second_address: Optional[Address]
    count: Optional[int]
    either: Union[int, str]
    sent: Union[Parcel, Letter]
    letters: Annotated[List[Letter], Field(min_length=2, max_length=3)]
    comment: Comment


class Detailed(Ticket):
    """With what the strict mode of some providers refuses, so only tools that are not strict ask for it."""

    id: UUID
    day: date
    at: datetime
    pair: Tuple[int, str]
    price: Decimal
